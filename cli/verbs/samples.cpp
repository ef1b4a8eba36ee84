// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/samples.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/launch/program/exit_code.h"
#include "cli/verbs/flags.h"
#include "reports/text/numbers.h"
#include "views/table/column.h"
#include "views/table/format.h"

namespace ampprof::cli {
namespace {

const views::ViewOf<Sample>& declared_samples() {
  using views::Cell;
  static const views::ViewOf<Sample> kView{
      .name = "samples",
      .columns = {{.key = "name",
                   .about = "Name of the sample, as in `ampprof run sample:NAME`.",
                   .value = &Sample::name,
                   .title = "sample",
                   .cell = [](const Sample& sample) -> Cell {
                     return {sample.name, text::Tone::Strong};
                   }},
                  {.key = "about",
                   .about = "What the sample trains.",
                   .value = &Sample::about,
                   .title = "about",
                   .cell = [](const Sample& sample) -> Cell { return {sample.about}; },
                   .flexible = true,
                   .behind = "steps"},
                  {.key = "program", .about = "Program that the sample runs.", .value = &Sample::program},
                  views::number_column<Sample>({"steps", "Number of steps.", "steps"}, &Sample::steps, "steps",
                                               text::count)},
      .none = "This ampprof has no samples, because it was built without LibTorch.",
      .wraps = true};
  return kView;
}

}  // namespace

int samples_verb(const Arguments& arguments, const Installation& installation) {
  std::string format = "table";
  CLI::App app("Lists the samples: small training programs that come with ampprof.", "ampprof samples");
  set_usage(app, "ampprof samples [OPTIONS]");
  app.footer("\nExample:\n  ampprof samples\n  ampprof run --levels O0,O1 sample:mlp");
  add_format(app, format);
  if (!parse(app, arguments)) return kFine;
  const views::View view = views::view_of(declared_samples(), load_samples(installation.samples()));
  fmt::print("{}", views::formatted(view, views::format_from(format), text::terminal_of(STDOUT_FILENO)));
  return kFine;
}

}  // namespace ampprof::cli

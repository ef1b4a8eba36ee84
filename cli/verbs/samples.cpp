// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/samples.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/launch/exit_code.h"
#include "cli/verbs/flags.h"
#include "reports/text/numbers.h"
#include "views/format.h"

namespace ampprof::cli {
namespace {

views::View samples_view(const std::vector<Sample>& samples) {
  views::View view{.name = "samples",
                   .keys = {"name", "about", "program", "steps"},
                   .columns = {{"sample"}, {"steps", views::Align::Right}, {.title = "about", .flexible = true}},
                   .records = {},
                   .wraps = true,
                   .none = "This ampprof has no samples: they are built with LibTorch."};
  for (const Sample& sample : samples) {
    view.records.push_back(
        {{{"name", sample.name},
          {"about", sample.about},
          {"program", sample.program},
          {"steps", views::exact(sample.steps)}},
         {{sample.name, text::Tone::Strong}, {text::shown(sample.steps, text::count)}, {sample.about}}});
  }
  return view;
}

}  // namespace

int samples_verb(const Arguments& arguments, const Installation& installation) {
  std::string format = "table";
  CLI::App app("Lists the samples: small training programs that come with ampprof.", "ampprof samples");
  app.footer("\nExample:\n  ampprof samples\n  ampprof run --levels O0,O1 sample:mlp");
  add_format(app, format);
  if (!parse(app, arguments)) return kFine;
  fmt::print("{}", views::formatted(samples_view(load_samples(installation.samples())), views::format_from(format),
                                    text::terminal_of(STDOUT_FILENO)));
  return kFine;
}

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/machine/doctor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/launch/program/exit_code.h"
#include "cli/verbs/flags.h"
#include "views/table/column.h"
#include "views/table/format.h"

namespace ampprof::cli {
namespace {

struct HealthText {
  const char* key;
  const char* text;
  text::Tone tone;
};

HealthText text_of(Health health) {
  switch (health) {
    case Health::Fine:
      return {"fine", "fine", text::Tone::Good};
    case Health::Reduced:
      return {"reduced", "without", text::Tone::Attention};
    case Health::Broken:
      return {"broken", "BROKEN", text::Tone::Bad};
  }
  return {"broken", "BROKEN", text::Tone::Bad};
}

const views::ViewOf<Check>& declared_doctor() {
  using views::Cell;
  static const views::ViewOf<Check> kView{
      .name = "doctor",
      .columns = {{.key = "check",
                   .about = "What is checked.",
                   .value = &Check::name,
                   .title = "check",
                   .cell = [](const Check& check) -> Cell {
                     return {check.name, text::Tone::Strong};
                   }},
                  {.key = "state",
                   .about = "State of the checked part.",
                   .value = [](const Check& check) { return views::known(text_of(check.health).key); },
                   .title = "state",
                   .cell = [](const Check& check) -> Cell {
                     return {text_of(check.health).text, text_of(check.health).tone};
                   }},
                  {.key = "finding",
                   .about = "What was found.",
                   .value = &Check::finding,
                   .title = "finding",
                   .cell = [](const Check& check) -> Cell { return {check.finding}; },
                   .flexible = true},
                  {.key = "remedy",
                   .about = "How to fix the fault. Null if nothing is wrong.",
                   .value = [](const Check& check) { return views::known(check.remedy); },
                   .title = "remedy",
                   .cell = [](const Check& check) -> Cell { return {check.remedy}; },
                   .flexible = true}},
      .none = "",
      .wraps = true};
  return kView;
}

}  // namespace

int doctor_verb(const Arguments& arguments, const Installation& installation) {
  std::string name = "table";
  CLI::App app("Checks whether this machine can record, and prints a remedy for each fault.", "ampprof doctor");
  set_usage(app, "ampprof doctor [OPTIONS]");
  app.footer("\nExample:\n  ampprof doctor --format json");
  add_format(app, name);
  if (!parse(app, arguments)) return kFine;
  const views::Format format = views::format_from(name);
  const auto checks = check_everything(installation, ".");
  fmt::print("{}",
             views::formatted(views::view_of(declared_doctor(), checks), format, text::terminal_of(STDOUT_FILENO)));
  const bool broken =
      std::any_of(checks.begin(), checks.end(), [](const Check& check) { return check.health == Health::Broken; });
  return broken ? kWrongUsage : kFine;
}

}  // namespace ampprof::cli

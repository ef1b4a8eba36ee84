// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/doctor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/launch/exit_code.h"
#include "cli/verbs/flags.h"
#include "views/format.h"

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

views::View doctor_view(const std::vector<Check>& checks) {
  views::View view{
      .name = "doctor",
      .keys = {"check", "state", "finding", "remedy"},
      .columns = {{"check"}, {"state"}, {.title = "finding", .flexible = true}, {.title = "remedy", .flexible = true}},
      .records = {},
      .wraps = true,
      .none = ""};
  for (const Check& check : checks) {
    const HealthText health = text_of(check.health);
    view.records.push_back(
        {{{"check", check.name},
          {"state", health.key},
          {"finding", check.finding},
          {"remedy", views::text_or_null(check.remedy)}},
         {{check.name, text::Tone::Strong}, {health.text, health.tone}, {check.finding}, {check.remedy}}});
  }
  return view;
}

}  // namespace

int doctor_verb(const Arguments& arguments, const Installation& installation) {
  std::string name = "table";
  CLI::App app("Checks what recording needs on this machine; each finding with its remedy.", "ampprof doctor");
  app.footer("\nExample:\n  ampprof doctor --format json");
  add_format(app, name);
  if (!parse(app, arguments)) return kFine;
  const views::Format format = views::format_from(name);
  const auto checks = check_everything(installation, ".");
  fmt::print("{}", views::formatted(doctor_view(checks), format, text::terminal_of(STDOUT_FILENO)));
  const bool broken =
      std::any_of(checks.begin(), checks.end(), [](const Check& check) { return check.health == Health::Broken; });
  return broken ? kWrongUsage : kFine;
}

}  // namespace ampprof::cli

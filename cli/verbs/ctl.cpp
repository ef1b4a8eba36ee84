// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "cli/launch/program/exit_code.h"
#include "cli/verbs/flags.h"
#include "cli/verbs/verb.h"
#include "reports/recording/control_command.h"
#include "reports/recording/control_socket.h"
#include "reports/store/report_error.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

constexpr const char* kFooter = R"(
COMMAND is one of
  stop         stop recording; the program continues
  start        record steps again, as the flags of the run say
  every N      record every Nth step from now on
  deep N       record the next N steps in full, regardless of --every, --steps and --overhead
  policy FILE  add the rules of FILE to the casts of O1, or to the program's torch.autocast
  dump         write what --ring keeps in memory

The program obeys only its own user and root. kill -s RTMIN+9 PID does "deep 10" and "dump" without ampprof.

Example:
  ampprof ctl r.ampprof deep 10)";

recording::ControlCommand command_from(const std::vector<std::string>& words) {
  const std::string text = fmt::format("{}", fmt::join(words, " "));
  auto command = recording::control_command_from(text);
  if (!command) {
    throw text::UsageError(
        fmt::format("Unknown command '{}'. Use {}, where N is 1 or more.", text, recording::control_commands()));
  }
  // Makes the path absolute, because the program's working directory may be another.
  if (!command->file.empty()) command->file = std::filesystem::absolute(command->file).string();
  return *command;
}

}  // namespace

int ctl_verb(const Arguments& arguments, const Installation&) {
  std::string report;
  std::vector<std::string> words;
  CLI::App app("Changes what a running program records.", "ampprof ctl");
  set_usage(app, "ampprof ctl REPORT COMMAND");
  app.footer(kFooter);
  app.add_option("REPORT", report, "control the running program that writes this report")->required();
  app.add_option("COMMAND", words, recording::control_commands())->required();
  if (!parse(app, arguments)) return kFine;
  const recording::ControlCommand command = command_from(words);
  try {
    const std::string answer = recording::ask_recorder(report, recording::text_of(command));
    if (answer.starts_with(recording::kRefused)) throw text::UsageError(answer.substr(recording::kRefused.size()));
    fmt::print("{}\n", answer);
  } catch (const recording::ControlError& error) {
    throw store::ReportError(
        fmt::format("Cannot reach the program that writes '{}': {}. It has ended, or runs on another machine.", report,
                    error.what()));
  }
  return kFine;
}

}  // namespace ampprof::cli

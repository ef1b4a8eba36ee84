// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/launch/launch.h"
#include "cli/launch/program/arguments.h"
#include "cli/launch/program/exit_code.h"
#include "cli/launch/program/torchscript_file.h"
#include "cli/launch/run/what_if.h"
#include "cli/verbs/flags.h"
#include "cli/verbs/gate_flags.h"
#include "cli/verbs/run_flags.h"
#include "cli/verbs/run_options.h"
#include "reports/recording/options.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

constexpr const char* kFooter = R"(
PROGRAM is an executable, `python script.py`, `sample:NAME`, or a TorchScript
model (`model.pt --input f32[8,3,32,32]`). Every flag is also AMPPROF_<FLAG> in
the environment.

Example:
  ampprof run --levels O0,O1,O2,O3 -o digits.ampprof sample:mnist_cnn)";

void check(const RunOptions& options) {
  for (const std::string& input : options.inputs) input_from(input);
  const bool is_deep = options.record.inherited || options.record.impact;
  if (is_deep && options.record.reference == recording::ReferenceMode::Off) {
    throw text::UsageError(
        "--inherited and --impact measure errors, which --reference off turns off. Remove one of them.");
  }
  check_what_if(options);
  read_gates({.rules = options.gates}, gates::Reports::One);
  if (!options.gates.empty() && options.on_event.empty()) {
    throw text::UsageError(
        "--gate sets when --on-event runs its command. Add --on-event CMD, or judge the report with ampprof check "
        "--gate.");
  }
  if (options.gives("--probe-budget") && !options.probe) {
    throw text::UsageError("--probe-budget limits the time of --probe. Add --probe.");
  }
}

// Parses a command line. The first word that is not a flag begins the program and its arguments. Returns false if help
// was printed.
bool read(const Arguments& arguments, RunOptions& options) {
  CLI::App app("Runs a program and records what each op loses in reduced precision.", "ampprof run");
  set_usage(app, "ampprof run [OPTIONS] [--] PROGRAM [ARGS...]");
  app.footer(kFooter);
  app.prefix_command();
  add_run_flags(app, options, FlagsOf::Run);
  if (!parse(app, arguments)) return false;
  options.command = program_behind(app);
  read_run_flags(app, options);
  return true;
}

// A TorchScript model takes no arguments, so flags of `ampprof run` may follow it. They are parsed as if they preceded
// it.
bool read_all(const Arguments& arguments, RunOptions& options) {
  if (!read(arguments, options)) return false;
  const Arguments command = options.command;
  if (command.size() == 1 || !looks_like_model(command.front())) return true;
  Arguments moved(arguments.begin(), arguments.end() - static_cast<std::ptrdiff_t>(command.size()));
  if (!moved.empty() && moved.back() == "--") moved.pop_back();
  moved.insert(moved.end(), command.begin() + 1, command.end());
  moved.push_back(command.front());
  options = {};
  if (!read(moved, options)) return false;
  if (options.command.size() > 1) {
    throw text::UsageError(fmt::format(
        "A TorchScript model takes no argument '{}'. Remove it; feed tensors with --input.", options.command.front()));
  }
  return true;
}

}  // namespace

std::optional<RunOptions> run_options_from(const Arguments& arguments) {
  RunOptions options;
  if (!read_all(arguments, options)) return std::nullopt;
  check(options);
  return options;
}

std::optional<RunOptions> own_recording_options_from(const Arguments& arguments) {
  RunOptions options;
  CLI::App app("", "ampprof run");
  add_run_flags(app, options, FlagsOf::OwnRecording);
  if (!parse(app, arguments)) return std::nullopt;
  read_run_flags(app, options);
  check(options);
  return options;
}

int run_verb(const Arguments& arguments, const Installation& installation) {
  const auto options = run_options_from(arguments);
  return options ? launch(*options, installation) : kFine;
}

}  // namespace ampprof::cli

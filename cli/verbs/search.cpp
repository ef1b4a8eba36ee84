// SPDX-License-Identifier: Apache-2.0
#include "views/search/search.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/launch/program/arguments.h"
#include "cli/launch/program/exit_code.h"
#include "cli/launch/run/policy_file.h"
#include "cli/launch/search/search_runs.h"
#include "cli/verbs/flags.h"
#include "cli/verbs/run_flags.h"
#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"
#include "views/ops/views.h"

namespace ampprof::cli {
namespace {

constexpr const char* kFooter = R"(
Runs the program with everything in FP32, which sets the target. Then tries what
advise proposes, bisects that set, and finally leaves out each function in turn.
A smaller set of other functions may exist. The output of the program is not
shown. All runs are in one report; the same command resumes a search that was
stopped.

With --recipe, the set consists of single matmuls (fprop, dgrad and wgrad of each
layer) that are not rounded to FP8 or FP4.

Exit codes: 0 a set was found, 1 no set was found, 2 wrong usage, 3 the search
was interrupted or the program failed.

Example:
  ampprof search --metric 'dice ([0-9.]+)' --higher sample:segmentation
  ampprof search --recipe nvfp4 --tolerance 1% -- python train.py)";

struct SearchFlags {
  SearchOptions options;
  std::string metric = "loss";
  bool higher = false;
  std::string tolerance;
  std::string budget;
  std::string policy_output;
  std::string format = "table";
};

void add_what_counts(CLI::App& app, SearchFlags& flags) {
  add_option(app, "--metric", flags.metric,
             "judge by loss (the final loss), overflows (share of steps), or a number that the program prints: a "
             "regular expression whose first group is the number; its last match counts (default: loss)")
      ->type_name("METRIC");
  add_flag(app, "--higher", flags.higher, "prefer a higher metric (default: a lower one)");
  add_option(app, "--tolerance", flags.tolerance,
             "accept a metric that is worse than the all-FP32 run's by at most this much: 2% of the metric, or 0.3 in "
             "its own unit (default: seed-to-seed variation, at least 1%)")
      ->type_name("T");
  add_option(app, "--error", flags.options.plan.error,
             "accept this probability of a wrong verdict on a set if seeds change the metric (default: 0.01)")
      ->check(CLI::Validator(CLI::Range(1e-6, 0.5)).description(""))
      ->type_name("P");
}

void add_what_to_start(CLI::App& app, SearchFlags& flags) {
  RunOptions& run = flags.options.run;
  add_option(app, "--budget", flags.budget, "spend at most this time on all runs, such as 90s or 2h (default: 30m)")
      ->type_name("TIME");
  add_option(app, "--parallel", flags.options.parallel, "run this many programs at the same time (default: 1)")
      ->check(positive())
      ->type_name("N");
  add_option(app, "--start", flags.options.start,
             "begin with the advice of this report (default: record the program once)")
      ->type_name("REPORT");
  add_run_flag(app, "--recipe", run,
               "run matmuls in this FP8 or FP4 recipe, and find which matmuls to keep out of it: a name, or a file "
               "(default: none)");
  add_run_flag(app, "--type", run,
               "use this reduced type at O1: fp16 or bf16 (default: the program's type, or that of --start)");
  add_run_flag(app, "--policy", run,
               "apply this policy file in every run; the set to keep in FP32 takes precedence (default: none)");
  add_run_flag(app, "--seed", run,
               "seed the first run of each set with N, and its later runs with N+1, N+2, ... (default: 1)")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
  for (const char* flag : {"--input", "--train", "--torch"}) add_run_flag(app, flag, run);
}

void add_what_to_write(CLI::App& app, SearchFlags& flags) {
  RunOptions& run = flags.options.run;
  add_run_flag(app, "--output", run,
               "write all runs to this report; resume the search if the report exists (default: search.ampprof)");
  add_run_flag(app, "--force", run, "start over: replace the report and the policy file");
  add_option(app, "--output-policy", flags.policy_output,
             "write the set that was found to this policy file (default: none)")
      ->type_name("FILE");
  add_format(app, flags.format);
}

/// Parses the command line. Returns false if help was printed.
bool read(const Arguments& arguments, SearchFlags& flags) {
  CLI::App app(
      "Finds an irreducible set of functions (or matmuls) to keep in FP32 by re-running the program: if any one of "
      "them is left out, the metric misses the tolerance.",
      "ampprof search");
  set_usage(app, "ampprof search [OPTIONS] [--] PROGRAM [ARGS...]");
  app.footer(kFooter);
  app.prefix_command();
  add_what_counts(app, flags);
  add_what_to_start(app, flags);
  add_what_to_write(app, flags);
  if (!parse(app, arguments)) return false;
  flags.options.run.command = program_behind(app);
  read_run_flags(app, flags.options.run);
  return true;
}

/// Throws before the first run, not hours later, if the policy file cannot be written.
void check_policy_output(const std::filesystem::path& path, bool replace) {
  std::error_code ignored;
  if (!replace && std::filesystem::exists(path, ignored)) {
    throw text::UsageError(
        fmt::format("{} exists already. Choose another name with --output-policy, or add --force.", path.string()));
  }
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), ignored)) {
    throw text::UsageError(
        fmt::format("--output-policy: the directory {} does not exist. Create it, or choose another.",
                    path.parent_path().string()));
  }
}

void check(SearchFlags& flags) {
  SearchOptions& options = flags.options;
  options.metric = search::metric_from(flags.metric, flags.higher);
  if (const std::string fault = search::fault_of(options.metric); !fault.empty()) {
    throw text::UsageError(
        fmt::format("--metric: '{}' {}. Use loss, overflows, or a regular expression such as 'accuracy ([0-9.]+)'.",
                    flags.metric, fault));
  }
  if (!flags.tolerance.empty()) {
    const auto within = search::tolerance_spec_from(flags.tolerance);
    if (!within) {
      throw text::UsageError(fmt::format(
          "--tolerance: invalid tolerance '{}'. Write 2% for a share of the metric, or 0.3 in its own unit.",
          flags.tolerance));
    }
    options.within = *within;
  }
  check_recipe(options.run);
  if (std::error_code ignored; std::filesystem::is_regular_file(options.run.recipe, ignored)) {
    options.run.recipe = std::filesystem::absolute(options.run.recipe).string();
  }
  if (!flags.budget.empty()) options.budget = seconds_from("--budget", flags.budget);
  for (const std::string& input : options.run.inputs) input_from(input);
  if (!flags.policy_output.empty()) check_policy_output(flags.policy_output, options.run.replace);
}

int exit_code_of(const search::Result& result) {
  if (result.stop == search::Stop::Interrupted) return kProgramFailed;
  return result.findings.best.set ? kFine : kGateFailed;
}

}  // namespace

int search_verb(const Arguments& arguments, const Installation& installation) {
  SearchFlags flags;
  if (!read(arguments, flags)) return kFine;
  check(flags);
  const views::Format format = views::format_from(flags.format);
  const auto result = run_search(flags.options, installation);
  if (!result) return kProgramFailed;
  const auto& best = result->findings.best.set;
  if (best && !flags.policy_output.empty()) {
    text::write_file(flags.policy_output, search::commented_policy_of(result->question, *best));
  }
  fmt::print("{}", views::formatted(*result, format, text::terminal_of(STDOUT_FILENO)));
  std::fflush(stdout);
  return exit_code_of(*result);
}

}  // namespace ampprof::cli

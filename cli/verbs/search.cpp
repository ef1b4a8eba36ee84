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
Runs the program again and again, with everything in high precision, with what
advice proposes, with halves of it, and last without each function by itself.
What the program prints is not shown. All runs are in one report; the same
command goes on where it was stopped.

With --recipe it is single matmuls, fprop, dgrad and wgrad of each layer, that
are kept from FP8 or FP4.

Example:
  ampprof search --metric 'dice ([0-9.]+)' --higher sample:segmentation
  ampprof search --recipe nvfp4 --within 1% -- python train.py)";

struct SearchFlags {
  SearchOptions options;
  std::string metric = "loss";
  bool higher = false;
  std::string within;
  std::string budget;
  std::string policy_output;
  std::string format = "table";
};

void add_what_counts(CLI::App& app, SearchFlags& flags) {
  add_option(app, "--metric", flags.metric,
             "loss (default: the final one), overflows (share of steps), or a regular expression on what the program "
             "prints, whose first group is the number; the last match counts")
      ->type_name("METRIC");
  add_flag(app, "--higher", flags.higher, "a higher metric is better");
  add_option(app, "--within", flags.within,
             "how much worse than with everything in high precision it may be: 2% of it, or 0.3 (default: as much as "
             "seeds change it, 1% at least)")
      ->type_name("T");
  add_option(app, "--error", flags.options.plan.error,
             "probability that a verdict on a set may be wrong, where runs differ (default 0.01)")
      ->check(CLI::Validator(CLI::Range(1e-6, 0.5)).description(""))
      ->type_name("P");
}

void add_what_to_start(CLI::App& app, SearchFlags& flags) {
  RunOptions& run = flags.options.run;
  add_option(app, "--budget", flags.budget, "time for all runs, as in 90s, 30m (default) or 2h")->type_name("TIME");
  add_option(app, "--parallel", flags.options.parallel, "runs at the same time (default 1)")
      ->check(positive())
      ->type_name("N");
  add_option(app, "--start", flags.options.start,
             "report whose advice to begin with; else the program is recorded once")
      ->type_name("REPORT");
  add_run_flag(app, "--recipe", run,
               "run matmuls in this recipe, and find which of them to keep in high precision: a name, or a file");
  add_run_flag(app, "--type", run, "what O1 computes in (default: as the program, or as --start)");
  add_run_flag(app, "--policy", run, "policy file that every run has beneath the set");
  add_run_flag(app, "--seed", run, "seed of the first run of each set, from which the others count (default 1)")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
  for (const char* flag : {"--input", "--train", "--torch"}) add_run_flag(app, flag, run);
}

void add_what_to_write(CLI::App& app, SearchFlags& flags) {
  RunOptions& run = flags.options.run;
  add_run_flag(app, "--output", run, "report of all runs (default search.ampprof); one that is there goes on");
  add_run_flag(app, "--force", run, "begin anew: replace the report, and the policy file");
  add_option(app, "--output-policy", flags.policy_output, "write the set as a policy file")->type_name("FILE");
  add_format(app, flags.format);
}

/// Returns false if help was printed.
bool read(const Arguments& arguments, SearchFlags& flags) {
  CLI::App app(
      "Finds the smallest set of functions, or of matmuls, that must stay in high precision, by running the program.",
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

/// Throws now, rather than after hours of runs, if the result cannot be written.
void check_policy_output(const std::filesystem::path& path, bool replace) {
  std::error_code ignored;
  if (!replace && std::filesystem::exists(path, ignored)) {
    throw text::UsageError(
        fmt::format("{} exists already. Choose another name with --output-policy, or add --force.", path.string()));
  }
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), ignored)) {
    throw text::UsageError(fmt::format("--output-policy: the folder {} does not exist. Make it, or choose another.",
                                       path.parent_path().string()));
  }
}

void check(SearchFlags& flags) {
  SearchOptions& options = flags.options;
  options.metric = search::metric_from(flags.metric, flags.higher);
  if (const std::string fault = search::fault_of(options.metric); !fault.empty()) {
    throw text::UsageError(fmt::format(
        "--metric: '{}' {}. Write loss, overflows, or as in --metric 'accuracy ([0-9.]+)'.", flags.metric, fault));
  }
  if (!flags.within.empty()) {
    const auto within = search::within_from(flags.within);
    if (!within) {
      throw text::UsageError(fmt::format(
          "--within: '{}' is no tolerance. Write 2% for a share of the metric, or 0.3 in its own unit.", flags.within));
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

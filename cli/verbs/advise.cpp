// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/errors.h"
#include "cli/text/nearest.h"
#include "cli/text/write_file.h"
#include "cli/verbs/flags.h"
#include "cli/views/advice.h"
#include "cli/views/missing.h"
#include "cli/views/view.h"
#include "precision/advice/code.h"

namespace ampprof::cli {
namespace {

constexpr const char* kFooter = R"(
Registers what overflows, then the fewest functions that bring the predicted
change of the loss down to the target. -o writes a policy for ampprof run
--policy and amp::load_policy.

Example:
  ampprof advise digits.ampprof -o digits.amp)";

struct AdviseFlags {
  std::string report;
  std::string format = "table";
  std::string output;
  std::string code;
  std::optional<std::string> run;
  bool force = false;
  AdviceOptions options;
};

struct Language {
  const char* name;
  std::string (*print)(const Advice&);
};

constexpr Language kLanguages[] = {{"cpp", cpp_code}, {"apex", apex_code}, {"torch", torch_code}};

bool read(const Arguments& arguments, AdviseFlags& flags) {
  CLI::App app("Says which functions to register as FP32, why, and what it costs.", "ampprof advise");
  set_usage(app, "ampprof advise REPORT [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", flags.report, "the file that ampprof run wrote")->required();
  add_format(app, flags.format);
  one_of(add_option(app, "--run", flags.run, "the run: its id or its level (default: the first at O1)"), opt_levels())
      ->type_name("ID|LEVEL");
  add_option(app, "-o,--output", flags.output, "write a policy file")->type_name("FILE");
  add_flag(app, "--force", flags.force, "replace the policy file");
  one_of(add_option(app, "--code", flags.code, "print the registrations as code: cpp, apex or torch"),
         {"cpp", "apex", "torch"})
      ->type_name("LANGUAGE");
  add_option(app, "--target", flags.options.target_share, "share of the predicted change of the loss that may remain")
      ->check(CLI::Validator(CLI::Range(0.0, 1.0)).description(""))
      ->type_name("SHARE");
  add_option(app, "--tolerance", flags.options.tolerance,
             "change of the loss that needs nothing done (default: a thousandth of it)")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->type_name("LOSS");
  return parse(app, arguments);
}

const Language* language_of(const std::string& name) {
  if (name.empty()) return nullptr;
  std::vector<std::string> names;
  for (const Language& language : kLanguages) {
    if (language.name == name) return &language;
    names.emplace_back(language.name);
  }
  throw UsageError(fmt::format("--code: '{}' is not a language.{} Languages are {}.", name, did_you_mean(name, names),
                               listed(names)));
}

RunRow run_of(const AdviseFlags& flags, const std::vector<RunRow>& runs) {
  if (!flags.run) {
    if (const auto run = run_to_advise(runs)) return *run;
    throw UsageError(fmt::format("{}; or choose another run with --run.", kNoRunToAdvise));
  }
  for (const RunRow& run : runs) {
    if (names_run(*flags.run, run.run, run.level)) return run;
  }
  throw UsageError(
      fmt::format("--run: the report has no run '{}'. See: ampprof show {} runs", *flags.run, flags.report));
}

void write_policy(const AdviseFlags& flags, const Advice& advice) {
  if (!flags.force && std::filesystem::exists(flags.output)) {
    throw UsageError(fmt::format("{} exists already. Choose another name with -o, or add --force.", flags.output));
  }
  write_file(flags.output, policy_file(advice));
  fmt::print(stderr, "ampprof: wrote {}. Try it: ampprof run --levels O0,O1 --policy {} PROGRAM\n", flags.output,
             flags.output);
}

}  // namespace

int advise_verb(const Arguments& arguments, const Installation&) {
  AdviseFlags flags;
  if (!read(arguments, flags)) return kFine;
  const Format format = format_from(flags.format);
  const Language* language = language_of(flags.code);
  const Report report(flags.report);
  const std::vector<RunRow> runs = report.runs();
  const RunRow run = run_of(flags, runs);
  const Advice advice = advise(evidence_of(report, run, runs), flags.options);
  if (!flags.output.empty()) write_policy(flags, advice);
  if (run.level == "O2" || run.level == "O3") {
    fmt::print(stderr, "ampprof: registrations count at O1; at {} they say what an FP32 island would remove.\n",
               run.level);
  }
  fmt::print("{}", language ? language->print(advice) : formatted(advice, run, format, terminal_of(STDOUT_FILENO)));
  std::fflush(stdout);
  if (!language && is_for_people(format)) print_missing(missing_of(report, {run}), flags.report);
  return kFine;
}

}  // namespace ampprof::cli

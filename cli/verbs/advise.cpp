// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "amp_core/levels/level.h"
#include "analysis/advised_run.h"
#include "analysis/nearest.h"
#include "cli/launch/exit_code.h"
#include "cli/verbs/flags.h"
#include "precision/advice/code.h"
#include "reports/queries/run_names.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"
#include "views/advice.h"
#include "views/missing.h"
#include "views/view.h"

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
  advice::Options options;
};

struct Language {
  const char* name;
  std::string (*print)(const advice::Advice&);
};

constexpr Language kLanguages[] = {{"cpp", advice::cpp_code},
                                   {"apex", advice::apex_code},
                                   {"torch", advice::torch_code},
                                   {"libtorch", advice::libtorch_code}};

bool read(const Arguments& arguments, AdviseFlags& flags) {
  CLI::App app("Says which functions to register as FP32, why, and what it costs.", "ampprof advise");
  set_usage(app, "ampprof advise REPORT [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", flags.report, "the file that ampprof run wrote")->required();
  add_format(app, flags.format);
  one_of(add_option(app, "--run", flags.run, "the run: its id or its level (default: the first with reduced types)"),
         opt_levels())
      ->type_name("ID|LEVEL");
  add_option(app, "-o,--output", flags.output, "write a policy file")->type_name("FILE");
  add_flag(app, "--force", flags.force, "replace the policy file");
  one_of(add_option(app, "--code", flags.code,
                    "print them as code: cpp and apex register functions, torch and libtorch guard them "
                    "from autocast"),
         {"cpp", "apex", "torch", "libtorch"})
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
  throw text::UsageError(fmt::format("--code: '{}' is not a language.{} Languages are {}.", name,
                                     analysis::did_you_mean(name, names), text::listed(names)));
}

queries::RunRow run_of(const AdviseFlags& flags, const std::vector<queries::RunRow>& runs) {
  if (!flags.run) {
    if (const auto run = analysis::run_to_advise(runs)) return *run;
    throw text::UsageError(fmt::format("{}; or choose another run with --run.", views::no_run_to_advise(runs)));
  }
  for (const queries::RunRow& run : runs) {
    if (queries::names_run(*flags.run, run.run, run.level)) return run;
  }
  throw text::UsageError(
      fmt::format("--run: the report has no run '{}'. See: ampprof show {} runs", *flags.run, flags.report));
}

void write_policy(const AdviseFlags& flags, const advice::Advice& advice, const queries::RunRow& run) {
  if (!flags.force && std::filesystem::exists(flags.output)) {
    throw text::UsageError(
        fmt::format("{} exists already. Choose another name with -o, or add --force.", flags.output));
  }
  text::write_file(flags.output, policy_file(advice));
  const std::string levels = analysis::has_own_reduced_type(run) ? "" : "--levels O0,O1 ";
  fmt::print(stderr, "ampprof: wrote {}. Try it: ampprof run {}--policy {} PROGRAM\n", flags.output, levels,
             flags.output);
}

}  // namespace

int advise_verb(const Arguments& arguments, const Installation&) {
  AdviseFlags flags;
  if (!read(arguments, flags)) return kFine;
  const views::Format format = views::format_from(flags.format);
  const Language* language = language_of(flags.code);
  const queries::Report report(flags.report);
  const std::vector<queries::RunRow> runs = queries::runs(report);
  const queries::RunRow run = run_of(flags, runs);
  const advice::Advice advice = advise(analysis::evidence_of(report, run, runs), flags.options);
  if (!flags.output.empty()) write_policy(flags, advice, run);
  if (amp::has_half_model(run.level)) {
    fmt::print(stderr, "ampprof: registrations count at O1; at {} they say what an FP32 island would remove.\n",
               run.level);
  }
  fmt::print("{}", language ? language->print(advice)
                            : views::formatted(advice, run, format, text::terminal_of(STDOUT_FILENO)));
  std::fflush(stdout);
  if (!language && views::is_for_people(format)) views::print_missing(views::missing_of(report, {run}), flags.report);
  return kFine;
}

}  // namespace ampprof::cli

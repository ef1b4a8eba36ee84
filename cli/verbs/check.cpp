// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "analysis/compare/pairing.h"
#include "analysis/diagnosis/highlights.h"
#include "analysis/diagnosis/judged_gates.h"
#include "cli/launch/program/exit_code.h"
#include "cli/verbs/gate_flags.h"
#include "reports/gates/evidence.h"
#include "reports/gates/occasion.h"
#include "reports/queries/missing.h"
#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/missing.h"
#include "views/ops/views.h"
#include "views/runs/run_choice.h"
#include "views/table/format.h"

namespace ampprof::cli {
namespace {

constexpr const char* kExample = R"(
Example:
  ampprof check digits.ampprof --gate 'overflows <= 3' \
    --gate 'local_rel_l2(conv*) < 1e-3' \
    --gate 'ms_per_step(O1) < 0.8 * ms_per_step(O0)'

Exit code 1 if a gate fails.)";

struct CheckFlags {
  std::string report;
  std::string format = "table";
  std::string junit;
  std::string target_gpu;
  std::vector<std::string> runs;
  GateFlags gates;
};

bool read(const Arguments& arguments, CheckFlags& flags) {
  CLI::App app("Checks a report against rules, for continuous integration.", "ampprof check");
  set_usage(app, "ampprof check REPORT --gate RULE... [OPTIONS]");
  app.footer(gate_help() + kExample);
  std::vector<std::string> further_rules;
  app.add_option("REPORT", flags.report, "read this report of ampprof run")->required();
  app.add_option("RULE", further_rules, "fail unless these rules hold, as if each had a --gate of its own");
  add_gate_flags(app, flags.gates);
  add_format(app, flags.format);
  add_option(app, "--run", flags.runs, "check this run or level only; repeatable (default: all)")
      ->allow_extra_args(false)
      ->type_name("ID|LEVEL");
  add_option(app, "--junit", flags.junit, "also write the result to this file as JUnit XML")->type_name("FILE");
  add_option(app, "--target-gpu", flags.target_gpu,
             "judge Tensor Core rules for this GPU (default: the run's GPU, else the GPU given to run --target-gpu)")
      ->type_name("GPU");
  if (!parse(app, arguments)) return false;
  flags.gates.rules.insert(flags.gates.rules.end(), further_rules.begin(), further_rules.end());
  return true;
}

std::vector<queries::RunRow> runs_meant(const CheckFlags& flags, const std::vector<queries::RunRow>& runs) {
  if (flags.runs.empty()) return runs;
  std::vector<queries::RunRow> meant;
  for (const std::string& wanted : flags.runs) {
    for (const queries::RunRow& run : views::runs_named(runs, wanted, flags.report)) meant.push_back(run);
  }
  return meant;
}

/// Returns, for each level, the runs that gates are applied to.
std::vector<gates::Occasion> occasions_of(const std::vector<queries::RunRow>& meant,
                                          const std::vector<gates::RunEvidence>& evidence) {
  std::vector<gates::Occasion> occasions;
  for (const auto& level : analysis::by_level(meant)) {
    occasions.push_back({.label = views::name_of(level), .a = {}, .b = analysis::side_of(evidence, level)});
  }
  return occasions;
}

// Prints what is missing, because gates judge only the data that the report has.
void print_notes(const CheckFlags& flags, const std::vector<analysis::Gate>& gates,
                 const std::vector<queries::RunRow>& runs, const queries::Report& report) {
  views::print_missing(views::missing_of(report, runs), flags.report);
  if (analysis::compare_times(gates) && analysis::includes_emulated_times(runs))
    fmt::print(stderr, "ampprof: {}\n", views::kTimesOfCpu);
}

}  // namespace

int check_verb(const Arguments& arguments, const Installation&) {
  CheckFlags flags;
  if (!read(arguments, flags)) return kFine;
  const views::Format format = views::format_from(flags.format);
  const std::vector<analysis::Gate> gates = read_gates(flags.gates, gates::Reports::One);
  if (gates.empty()) throw text::UsageError("No rule to check. Add one: --gate 'overflows <= 3'");
  check_gpu(flags.target_gpu);
  const queries::Report report(flags.report);
  const std::vector<queries::RunRow> runs = queries::runs(report);
  const auto evidence = analysis::gate_evidence(report, runs, flags.target_gpu, analysis::detail_for(gates));
  const std::vector<queries::RunRow> meant = runs_meant(flags, runs);
  const auto results = analysis::judged(gates, occasions_of(meant, evidence));
  if (!flags.junit.empty()) text::write_file(flags.junit, views::junit(results, "ampprof check " + flags.report));
  fmt::print("{}", views::formatted(results, flags.report, format, text::terminal_of(STDOUT_FILENO)));
  std::fflush(stdout);
  print_notes(flags, gates, meant, report);
  return print_outcome(results);
}

}  // namespace ampprof::cli

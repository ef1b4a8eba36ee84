// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <list>
#include <map>

#include "analysis/compare/comparison.h"
#include "analysis/compare/pairing.h"
#include "analysis/diagnosis/judged_gates.h"
#include "cli/launch/program/exit_code.h"
#include "cli/verbs/gate_flags.h"
#include "reports/gates/evidence.h"
#include "reports/gates/occasion.h"
#include "reports/queries/missing.h"
#include "reports/queries/sketches.h"
#include "reports/text/usage_error.h"
#include "views/compare/difference.h"
#include "views/compare/first_difference.h"
#include "views/diagnosis/missing.h"
#include "views/ops/views.h"
#include "views/runs/run_choice.h"

namespace ampprof::cli {
namespace {

constexpr std::size_t kReadableRows = 30;

constexpr const char* kFooter = R"(
Without B, compares levels of A: O0 with each other level. With B, compares each
level that both reports have. --run selects other levels or runs: give it once
for both sides, or twice for one on each side. Call sites match by phase, module,
op and place in the step; --rename also matches modules that have another name.

Rules may name a side: ms_per_step(B) < 1.1 * ms_per_step(A); without a side they
mean B. Metrics: ampprof check --help

Example:
  ampprof diff digits.ampprof --run O0 --run O1
  ampprof diff old.ampprof new.ampprof --gate 'ms_per_step(B) < ms_per_step(A)'

Exit code 1 if a gate fails.)";

struct DiffFlags {
  std::vector<std::string> reports;
  std::vector<std::string> runs;
  std::vector<std::string> renames;
  std::string format = "table";
  std::string target_gpu;
  double alpha = compare::TestSettings{}.alpha;
  views::Selection selection;
  GateFlags gates;
  bool first = false;
  bool exact = false;
};

bool read(const Arguments& arguments, DiffFlags& flags) {
  CLI::App app("Compares reports, levels or runs, call site by call site.", "ampprof diff");
  set_usage(app, "ampprof diff A [B] [OPTIONS]");
  app.footer(kFooter);
  std::string b;
  app.add_option("A", flags.reports.emplace_back(), "read this report")->required();
  app.add_option("B", b, "compare with this report (default: compare levels of A)");
  add_option(app, "--run", flags.runs, "compare this run or level; give it twice, once for each side")
      ->allow_extra_args(false)
      ->type_name("ID|LEVEL");
  add_option(app, "--rename", flags.renames,
             "match modules of A whose path begins with OLD to modules of B whose path begins with NEW; all applies "
             "every rename that diff suggests")
      ->allow_extra_args(false)
      ->type_name("OLD=NEW|all");
  add_flag(app, "--first", flags.first,
           "find the first op call, in program order, whose outputs differ; needs reports of run --sketch");
  add_flag(app, "--exact", flags.exact,
           "with --first, count a difference in any bit, even one that occurs between repeats");
  add_option(app, "--alpha", flags.alpha, "report a difference when a rank test has p <= X (default: 0.05)")
      ->type_name("X");
  add_format(app, flags.format);
  add_row_selection(app, flags.selection);
  add_gate_flags(app, flags.gates);
  add_option(app, "--target-gpu", flags.target_gpu,
             "judge Tensor Core rules for this GPU (default: the run's GPU, else the GPU given to run --target-gpu)")
      ->type_name("GPU");
  if (!parse(app, arguments)) return false;
  if (!b.empty()) flags.reports.push_back(b);
  return true;
}

compare::Options options_of(const DiffFlags& flags) {
  if (!(flags.alpha > 0 && flags.alpha < 1))
    throw text::UsageError("--alpha: write a probability between 0 and 1, such as 0.05.");
  compare::Options options;
  options.confidence.alpha = flags.alpha;
  for (const std::string& rename : flags.renames) {
    const auto sign = rename.find('=');
    if (rename == "all") {
      options.apply_suggestions = true;
    } else if (sign == std::string::npos) {
      throw text::UsageError(fmt::format("--rename: invalid rename '{}'. Write OLD=NEW, or all.", rename));
    } else {
      options.renames.emplace_back(rename.substr(0, sign), rename.substr(sign + 1));
    }
  }
  return options;
}

/// An open report with the rows read from it and the evidence for gates.
struct Opened {
  std::string path;
  queries::Report report;
  std::vector<queries::RunRow> runs;
  std::vector<gates::RunEvidence> evidence = {};
  std::map<std::int64_t, analysis::RunRecords> records = {};  ///< by run; only compared runs

  explicit Opened(const std::string& file) : path(file), report(file), runs(queries::runs(report)) {}

  /// Returns the records of a run. Reads them only once, because O0 is compared with every other level.
  const analysis::RunRecords& records_of(std::int64_t run) {
    const auto found = records.find(run);
    if (found != records.end()) return found->second;
    return records.emplace(run, analysis::RunRecords{queries::ops(report, run), queries::events(report, run)})
        .first->second;
  }

  /// Returns the missing data of the compared runs.
  std::vector<queries::MissingRow> missing() const {
    std::vector<queries::RunRow> compared;
    std::ranges::copy_if(runs, std::back_inserter(compared),
                         [&](const queries::RunRow& run) { return records.contains(run.run); });
    return views::missing_of(report, compared);
  }
};

analysis::SideOf side_in(Opened& opened, const std::vector<queries::RunRow>& runs, const std::string& target_gpu) {
  return analysis::side_of(opened.path, opened.runs, runs, target_gpu,
                           [&](std::int64_t run) -> const analysis::RunRecords& { return opened.records_of(run); });
}

views::DifferencePage page_of(const analysis::OwnedComparison& compilation, const DiffFlags& flags,
                              views::Format format) {
  views::DifferencePage page{.compared = compilation.side_by_side(), .sites = {}};
  views::Selection selection = flags.selection;
  const bool is_chosen = selection.phase || selection.op || selection.module || selection.sort || selection.limit;
  const bool is_shortened = views::is_for_people(format) && !is_chosen;
  page.sites = views::site_difference_view(page.compared, is_shortened ? views::Sites::Unequal : views::Sites::All);
  page.equal = is_shortened ? page.compared.difference.sites.size() - page.sites.records.size() : 0;
  if (views::is_for_people(format) && !selection.limit) selection.limit = kReadableRows;
  page.left_out = views::select(page.sites, selection);
  return page;
}

std::vector<analysis::JudgedGate> judged_gates(const std::vector<analysis::Gate>& gates, const DiffFlags& flags,
                                               const std::vector<analysis::Pairing>& pairings,
                                               std::list<Opened>& reports) {
  if (gates.empty()) return {};
  for (Opened& opened : reports) {
    opened.evidence =
        analysis::gate_evidence(opened.report, opened.runs, flags.target_gpu, analysis::detail_for(gates));
  }
  std::vector<gates::Occasion> occasions;
  for (const analysis::Pairing& pairing : pairings) {
    const std::string a = views::name_of(pairing.a);
    const std::string b = views::name_of(pairing.b);
    occasions.push_back({.label = a == b ? a : a + " against " + b,
                         .a = analysis::side_of(reports.front().evidence, pairing.a),
                         .b = analysis::side_of(reports.back().evidence, pairing.b)});
  }
  return analysis::judged(gates, occasions);
}

std::vector<compare::Sketches> sketches_of(const Opened& opened, const std::vector<queries::RunRow>& runs) {
  std::vector<compare::Sketches> sketches;
  for (const queries::RunRow& run : runs) sketches.push_back(queries::sketches(opened.report, run.run));
  return sketches;
}

int say_first_differences(const std::vector<analysis::Pairing>& pairings, std::list<Opened>& reports,
                          const DiffFlags& flags, views::Format format) {
  const auto strictness = flags.exact ? compare::Strictness::AnyBit : compare::Strictness::BeyondNoise;
  std::list<std::vector<compare::Sketches>> sketches;  // a list, because results point into its elements
  std::vector<views::ComparedSides> pairs;
  for (const analysis::Pairing& pairing : pairings) {
    const auto& a = sketches.emplace_back(sketches_of(reports.front(), pairing.a));
    const auto& b = sketches.emplace_back(sketches_of(reports.back(), pairing.b));
    pairs.push_back({.a = fmt::format("{} ({})", views::name_of(pairing.a), reports.front().path),
                     .b = fmt::format("{} ({})", views::name_of(pairing.b), reports.back().path),
                     .found = compare::first_difference(a, b, strictness)});
  }
  fmt::print("{}", views::formatted(pairs, format, text::terminal_of(STDOUT_FILENO)));
  std::fflush(stdout);
  if (views::is_for_people(format)) {
    for (const Opened& opened : reports)
      views::print_missing(views::missing_of(opened.report, opened.runs), opened.path);
  }
  return kFine;
}

/// Refuses options that --first would silently ignore.
void check_first(const DiffFlags& flags, const std::vector<analysis::Gate>& gates) {
  if (flags.exact && !flags.first) throw text::UsageError("--exact needs --first. Add --first, or remove --exact.");
  if (!flags.first || (gates.empty() && flags.renames.empty())) return;
  throw text::UsageError(
      "--first finds one op call and cannot be combined with --gate, --gates or --rename. Remove them, or --first.");
}

}  // namespace

int diff_verb(const Arguments& arguments, const Installation&) {
  DiffFlags flags;
  if (!read(arguments, flags)) return kFine;
  const views::Format format = views::format_from(flags.format);
  const compare::Options options = options_of(flags);
  const std::vector<analysis::Gate> gates = read_gates(flags.gates, gates::Reports::Two);
  check_gpu(flags.target_gpu);
  check_first(flags, gates);

  std::list<Opened> reports;
  for (const std::string& path : flags.reports) reports.emplace_back(path);
  Opened& a = reports.front();
  Opened& b = reports.back();
  const auto pairings =
      reports.size() == 1 ? views::pair_runs(a.runs, flags.runs) : views::pair_runs(a.runs, b.runs, flags.runs);

  if (flags.first) return say_first_differences(pairings, reports, flags, format);
  std::list<analysis::OwnedComparison> compiled;
  std::vector<views::DifferencePage> pages;
  for (const analysis::Pairing& pairing : pairings) {
    const analysis::OwnedComparison& latest = compiled.emplace_back(side_in(a, pairing.a, flags.target_gpu),
                                                                    side_in(b, pairing.b, flags.target_gpu), options);
    pages.push_back(page_of(latest, flags, format));
  }
  const auto results = judged_gates(gates, flags, pairings, reports);
  if (format == views::Format::Csv) fmt::print(stderr, "ampprof: CSV holds only the table of call sites.\n");
  fmt::print("{}", views::formatted(pages, results, format, text::terminal_of(STDOUT_FILENO)));
  std::fflush(stdout);
  if (views::is_for_people(format)) {
    for (const Opened& opened : reports) views::print_missing(opened.missing(), opened.path);
  }
  return print_outcome(results);
}

}  // namespace ampprof::cli

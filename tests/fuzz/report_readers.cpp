// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/report_readers.h"

#include <algorithm>
#include <cstdlib>
#include <list>
#include <sstream>

#include "analysis/compare/comparison.h"
#include "analysis/diagnosis/advised_run.h"
#include "analysis/diagnosis/diagnose.h"
#include "analysis/diagnosis/finding.h"
#include "analysis/diagnosis/judged_gates.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "cli/export/formats.h"
#include "precision/advice/code.h"
#include "reports/gates/evidence.h"
#include "reports/gates/occasion.h"
#include "reports/gates/parser.h"
#include "reports/merge/anonymize.h"
#include "reports/queries/calls.h"
#include "reports/queries/casts.h"
#include "reports/queries/checksums.h"
#include "reports/queries/decisions.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/recipes.h"
#include "reports/queries/run_names.h"
#include "reports/queries/scales.h"
#include "reports/queries/segments.h"
#include "reports/queries/spans.h"
#include "reports/queries/trials.h"
#include "reports/queries/updates.h"
#include "reports/queries/user_query.h"
#include "reports/text/usage_error.h"
#include "tests/cli/export/read_back.h"
#include "views/all_views.h"
#include "views/compare/difference.h"
#include "views/diagnosis/advice.h"
#include "views/diagnosis/summary.h"
#include "views/runs/run_choice.h"
#include "views/table/sql_rows.h"
#include "views/view_source.h"

namespace ampprof::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace ampprof::cli;

constexpr text::Terminal kTerminal{.width = 80};
constexpr views::Format kFormats[]{views::Format::Table, views::Format::Json, views::Format::Csv,
                                   views::Format::Markdown};

void require(bool holds) {
  if (!holds) std::abort();
}

void check_text(const std::string& text, views::Format format) {
  if (format == views::Format::Json) require(views::Json::accept(text));
  if (format == views::Format::Csv) require(!parse_csv(text).empty());
  require(text.find('\x1b') == text.npos);
}

void read_rows(const fs::path& path) {
  const queries::Report report(path);
  for (const queries::RunRow& run : queries::runs(report)) {
    (void)queries::segments(report, run.run);
    (void)queries::last_step(report, run.run);
    const TimeSpan whole = queries::span_of_calls(report, run.run).value_or(TimeSpan{});
    (void)queries::track_summary(report, run.run, whole, 100);
    (void)queries::span_totals(report, run.run, {whole.from_ns, whole.from_ns / 2 + whole.to_ns / 2}, 1'000);
    (void)queries::call_texts(report, run.run);
    for (const queries::SpanCall& call :
         queries::span_calls(report, run.run, whole, 1'000).value_or(std::vector<queries::SpanCall>())) {
      (void)queries::next_call(report, run.run, call.place, call.start_ns, 1'000);
    }
    (void)queries::parameter_checksums(report, run.run);
    queries::each_call(report, run.run,
                       [](const queries::TimedCall& call) { require(call.call_site.size() < 1u << 30); });
  }
  (void)queries::trials(report);
  (void)queries::ops(report);
  (void)queries::events(report);
  (void)queries::missing(report);
  (void)queries::impacts(report);
  (void)queries::gradient_impacts(report);
  (void)queries::gradient_errors(report);
  (void)queries::recipe_matmuls(report);
  (void)queries::casts(report);
  (void)queries::updates(report);
  (void)queries::scales(report);
  (void)queries::losses(report);
  (void)queries::decisions(report);
}

/// An open report with the inputs of its views.
struct Opened {
  explicit Opened(const fs::path& path)
      : report(path), runs(queries::runs(report)), source{report, runs, analysis::Targets(runs)} {}

  queries::Report report;
  std::vector<queries::RunRow> runs;
  views::ViewSource source;
};

void read_views(const fs::path& path) {
  Opened opened(path);
  for (const views::NamedView& named : views::all_views()) {
    const views::View view = named.make(opened.source);
    for (const views::Format format : kFormats) check_text(views::formatted(view, format, kTerminal), format);
    require(parse_csv(views::formatted(view, views::Format::Csv, kTerminal)).size() == view.records.size() + 1);
  }
}

void read_summary(const fs::path& path) {
  Opened opened(path);
  const analysis::ReportRows findings = views::rows_of(opened.source);
  for (const views::Format format : kFormats) {
    check_text(views::summary(path, findings, opened.source.targets, format, kTerminal), format);
  }
}

void read_advice(const fs::path& path) {
  const Opened opened(path);
  const auto findings =
      analysis::diagnose(analysis::read_rows(opened.report, opened.runs, queries::ops(opened.report)));
  for (const queries::RunRow& run : opened.runs) {
    const advice::Advice advice = analysis::advice_on(opened.report, run, opened.runs);
    for (const views::Format format : kFormats)
      check_text(views::formatted(advice, findings, {run.run, run.level}, format, kTerminal), format);
    require(amp::parse_policy(policy_file(advice), "advice") == policy_of(advice));
  }
}

analysis::SideOf side_of(const Opened& opened, const std::vector<queries::RunRow>& runs) {
  analysis::SideOf side{.report = "r", .repeats = {.runs = runs}, .targets = analysis::Targets(opened.runs)};
  for (const queries::RunRow& run : runs) {
    for (queries::OpRow& op : queries::ops(opened.report, run.run)) side.repeats.ops.push_back(std::move(op));
    for (queries::EventRow& event : queries::events(opened.report, run.run))
      side.repeats.events.push_back(std::move(event));
  }
  side.targets.learn_from(side.repeats.ops);
  return side;
}

/// Compares each run with the first.
void read_difference(const fs::path& path) {
  const Opened opened(path);
  for (const queries::RunRow& run : opened.runs) {
    const analysis::SideOf a = side_of(opened, {opened.runs.front()});
    const analysis::SideOf b = side_of(opened, {run});
    const auto difference = compare::compare_runs(a.repeats, b.repeats, {.apply_suggestions = true});
    const views::DifferencePage page{.compared = {a, b, difference, 0.05},
                                     .sites = views::site_difference_view({a, b, difference, 0.05})};
    for (const views::Format format : kFormats) check_text(views::formatted({page}, {}, format, kTerminal), format);
  }
}

void read_by_gates(const fs::path& path) {
  const Opened opened(path);
  std::vector<analysis::Gate> gates;
  for (const char* rule : {"overflows <= 3 and ms_per_step < 20 ms", "local_rel_l2(conv*) < 1e-3", "missing == 0",
                           "loss_impact < 1e-3 or nonfinite(backward) == 0", "peak_bytes(O1) < 2 GB"}) {
    gates.push_back({gates::parse_rule(rule, gates::Reports::One), ""});
  }
  const auto evidence = analysis::gate_evidence(opened.report, opened.runs, "sm_90", {.sites = true, .findings = true});
  std::vector<gates::Occasion> occasions;
  for (const gates::RunEvidence& run : evidence)
    occasions.push_back({.label = run.run.level, .a = {}, .b = {{&run}, {&run}}});
  const auto results = analysis::judged(gates, occasions);
  for (const views::Format format : kFormats) check_text(views::formatted(results, "r", format, kTerminal), format);
  require(views::junit(results, "r").find('\x1b') == std::string::npos);
}

void read_exports(const fs::path& path) {
  Opened opened(path);
  std::ostringstream trace, json, page;
  const Exported exported{opened.source, "r"};
  write_trace(exported, trace);
  write_json(exported, json);
  write_page(exported, page);
  require(views::Json::accept(trace.str()));
  require(views::Json::accept(json.str()));
  require(page.str().ends_with("</html>\n"));
}

void read_by_query(const fs::path& path, const std::string& sql) {
  queries::UserQuery query(path, sql, 1);
  for (int rows = 0; rows < 1000; ++rows) {
    const auto row = query.next();
    if (!row) return;
    for (const queries::SqlValue& value : *row) require(views::Json::accept(views::to_text(views::to_json(value))));
  }
}

void read_by_queries(const fs::path& path) {
  try {
    read_by_query(path, "SELECT * FROM sqlite_schema");
    for (const std::string& name : queries::names_in_schema(path)) {
      try {
        read_by_query(path, "SELECT * FROM " + name);
      } catch (const queries::QueryError&) {  // the name of a column is damaged
      }
    }
  } catch (const queries::QueryError&) {  // the names of all tables are damaged
  }
}

void read_to_merge(const fs::path& path) {
  const fs::path target = path.string() + ".merged";
  for (const merge::TextFilter& filter : {merge::TextFilter(), merge::anonymous(true)}) {
    merge::merge_reports({path, path}, target, true, filter);
    read_rows(target);
  }
}

constexpr Reader kReaders[]{
    {"rows", read_rows},       {"views", read_views},           {"summary", read_summary},
    {"advice", read_advice},   {"difference", read_difference}, {"gates", read_by_gates},
    {"exports", read_exports}, {"queries", read_by_queries},    {"merge", read_to_merge},
};

}  // namespace

std::span<const Reader> report_readers() { return kReaders; }

}  // namespace ampprof::fuzz

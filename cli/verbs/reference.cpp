// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <vector>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "cli/launch/program/exit_code.h"
#include "cli/manual/variables.h"
#include "cli/verbs/flags.h"
#include "precision/formats/recipes/recipe.h"
#include "precision/gpu/device_caps.h"
#include "reports/gates/metrics.h"
#include "reports/queries/runs.h"
#include "reports/store/create.h"
#include "reports/store/described_tables.h"
#include "reports/store/temporary_folder.h"
#include "reports/text/unit_of_key.h"
#include "views/all_views.h"
#include "views/compare/difference.h"
#include "views/diagnosis/advice.h"
#include "views/diagnosis/gates.h"
#include "views/recipes/recipe_advice.h"
#include "views/search/search.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

using views::Json;

Json columns_of(const views::View& view) {
  Json columns = Json::array();
  for (const views::ColumnText& column : view.texts) {
    columns.push_back({{"key", column.key}, {"title", column.title}, {"unit", column.unit}, {"about", column.about}});
  }
  return columns;
}

/// Describes each view, using an empty report: its views have all columns.
Json views_in_order() {
  const store::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "empty.ampprof";
  store::create_report(path, false);
  const queries::Report report(path);
  const std::vector<queries::RunRow> no_runs;
  views::ViewSource source{report, no_runs, analysis::Targets(no_runs)};
  Json list = Json::array();
  for (const views::NamedView& view : views::all_views()) {
    const views::View made = view.make(source);
    list.push_back({{"name", view.name},
                    {"about", view.about},
                    {"notes", made.notes},
                    {"grouping", view.takes_grouping},
                    {"steps", view.takes_steps},
                    {"columns", columns_of(made)}});
  }
  return list;
}

/// Describes the rows that verbs other than show print.
Json rows_of_verbs() {
  analysis::SideOf side{.report = {}, .repeats = {}, .targets = analysis::Targets({})};
  side.repeats.runs.resize(1);  // the titles of columns need the label of a run
  const compare::Difference same;
  const analysis::SideBySide compared{side, side, same, 0.05};
  Json list = Json::array();
  const auto add = [&](const char* verb, const char* row, const views::View& view) {
    list.push_back({{"verb", verb}, {"row", row}, {"columns", columns_of(view)}});
  };
  add("advise", "function to register", views::advice_view({}));
  add("advise", "matmul of a layer, for a report with recipes", views::recipe_advice_view({}));
  add("search", "set that was run", views::search_view({}));
  add("diff", "figure of the runs", views::run_difference_view(compared));
  add("diff", "call site", views::site_difference_view(compared));
  add("check", "gate", views::gates_view({}, views::Format::Json));
  return list;
}

Json tables_in_order() {
  Json list = Json::array();
  for (const store::DescribedTable& table : store::described_tables()) {
    Json columns = Json::array();
    for (const store::DeclaredColumn& column : table.columns) {
      columns.push_back({{"name", column.name},
                         {"type", column.type},
                         {"nullable", column.is_nullable},
                         {"unit", text::unit_of_key(column.name)},
                         {"about", column.about}});
    }
    list.push_back({{"name", table.name}, {"row", table.row}, {"columns", std::move(columns)}});
  }
  return list;
}

std::string arguments_of(const gates::Metric& metric) {
  return metric.takes_phase() ? "level, phase, sites" : metric.takes_pattern() ? "level, sites" : "level";
}

Json metrics_in_order() {
  Json list = Json::array();
  for (const gates::Metric& metric : gates::all_metrics()) {
    list.push_back({{"name", metric.name},
                    {"arguments", arguments_of(metric)},
                    {"unit", metric.unit.name},
                    {"about", metric.meaning}});
  }
  return list;
}

Json findings_in_order() {
  Json list = Json::array();
  for (const analysis::DiagnosisRule& rule : analysis::all_diagnosis_rules()) {
    list.push_back({{"kind", rule.id}, {"about", rule.summary}});
  }
  return list;
}

Json exit_codes() {
  Json list = Json::array();
  for (const ExitCodeText& text : kExitCodes) list.push_back({{"code", text.code}, {"about", text.about}});
  return list;
}

Json variables() {
  constexpr const char* kReaders[]{"ampprof", "programs", "builds"};
  Json list = Json::array();
  for (const Variable& variable : kVariables) {
    list.push_back({{"name", variable.name},
                    {"read_by", kReaders[static_cast<int>(variable.read_by)]},
                    {"about", variable.about},
                    {"default", variable.if_unset}});
  }
  return list;
}

Json gpus() {
  Json list = Json::array();
  for (const gpu::DeviceCaps& caps : gpu::known_models()) {
    list.push_back({{"name", caps.name},
                    {"compute_capability", fmt::format("{}.{}", caps.major, caps.minor)},
                    {"multiprocessors", caps.multiprocessors},
                    {"tensor_cores", caps.tensor_cores}});
  }
  return list;
}

Json recipes_in_order() {
  Json list = Json::array();
  for (const recipes::Shipped& shipped : recipes::all_recipes()) {
    Json switches = Json::array();
    for (const recipes::Switch& one : shipped.switches)
      switches.push_back({{"name", one.name}, {"about", one.summary}});
    list.push_back({{"name", shipped.recipe.name},
                    {"about", shipped.recipe.summary},
                    {"least_sm", shipped.recipe.least_sm},
                    {"switches", std::move(switches)}});
  }
  return list;
}

}  // namespace

// docs/generate_reference.py calls this verb and generates pages from its output.
int reference_verb(const Arguments& arguments, const Installation&) {
  CLI::App app("Prints the descriptions of views, tables, metrics and findings as JSON.", "ampprof reference");
  set_usage(app, "ampprof reference [OPTIONS]");
  app.footer("\nExample:\n  ampprof reference");
  if (!parse(app, arguments)) return kFine;
  const Json reference{{"views", views_in_order()},       {"rows", rows_of_verbs()},
                       {"tables", tables_in_order()},     {"metrics", metrics_in_order()},
                       {"findings", findings_in_order()}, {"exit_codes", exit_codes()},
                       {"variables", variables()},        {"gpus", gpus()},
                       {"recipes", recipes_in_order()}};
  fmt::print("{}\n", reference.dump(1));
  return kFine;
}

}  // namespace ampprof::cli

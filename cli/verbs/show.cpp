// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "analysis/ops/group.h"
#include "analysis/ops/nearest.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "cli/launch/program/arguments.h"
#include "cli/launch/program/exit_code.h"
#include "cli/verbs/answers.h"
#include "cli/verbs/flags.h"
#include "cli/verbs/follow.h"
#include "reports/queries/missing.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "views/all_views.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/missing.h"
#include "views/ops/group_by.h"
#include "views/ops/views.h"
#include "views/runs/run_choice.h"
#include "views/table/site_filter.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

constexpr std::size_t kReadableRows = 30;

struct ShowFlags {
  std::string report;
  std::string view = "summary";
  std::string format = "table";
  std::string target_gpu;
  std::string group_by;
  std::string steps;
  double threshold = analysis::kDivergedError;
  bool follow = false;
  bool has_notes = true;  ///< prints notes on stderr: not with --follow, nor for `ampprof mcp`
  views::Selection selection;
};

std::vector<std::string> view_names() {
  std::vector<std::string> names{"summary"};
  for (const views::NamedView& view : views::all_views()) names.emplace_back(view.name);
  return names;
}

/// Returns the names of the views for which this member of NamedView is true.
std::vector<std::string> views_that(bool views::NamedView::*takes) {
  std::vector<std::string> names;
  for (const views::NamedView& view : views::all_views()) {
    if (view.*takes) names.emplace_back(view.name);
  }
  return names;
}

/// Returns a line for each view: its name and what it shows.
std::string list_of_views() {
  std::string list = fmt::format("\nViews:\n  {:<13}{}\n", "summary", "what the runs show, in sentences (default)");
  for (const views::NamedView& view : views::all_views()) list += fmt::format("  {:<13}{}\n", view.name, view.about);
  return list;
}

std::string footer() {
  constexpr int kWidth = 80;
  const std::string paragraphs[]{
      "--sort takes the keys of --format json and the titles of columns.",
      fmt::format("--group-by works on {}: module, op, or class. A class is an op with its module path, in which * "
                  "replaces numbers, so that layers.0.attn/mm and layers.1.attn/mm are one row (reports do not hold "
                  "the classes of modules). Runs and phases are never merged.",
                  text::listed(views_that(&views::NamedView::takes_grouping))),
      fmt::format("--steps works on {}. Loss impacts are then left out.",
                  text::listed(views_that(&views::NamedView::takes_steps)))};
  std::string text = list_of_views();
  for (const std::string& paragraph : paragraphs) {
    text += fmt::format("\n{}\n", fmt::join(text::wrap(paragraph, kWidth), "\n"));
  }
  return text + "\nExample:\n  ampprof show digits.ampprof ops --run O1 --phase backward --sort local_max_ulp";
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool read(const Arguments& arguments, ShowFlags& flags) {
  CLI::App app("Prints what a report holds.", "ampprof show");
  set_usage(app, "ampprof show REPORT [VIEW] [OPTIONS]");
  app.footer(footer());
  app.add_option("REPORT", flags.report, "read this report of ampprof run")->required();
  one_of(app.add_option("VIEW", flags.view, "print this view (default: summary)"), view_names());
  add_format(app, flags.format);
  add_run(app, flags.selection.run);
  add_row_selection(app, flags.selection);
  one_of(add_option(app, "--group-by", flags.group_by, "print one row for each module, op or class of call sites"),
         views::group_names())
      ->type_name("WHAT");
  add_option(app, "--steps", flags.steps, "sum up op calls of steps A to B only")->type_name("A:B");
  add_option(app, "--target-gpu", flags.target_gpu,
             "judge Tensor Core rules for this GPU (default: the run's GPU, else the GPU given to run --target-gpu)")
      ->type_name("GPU");
  add_option(app, "--threshold", flags.threshold,
             "make the summary name the first op whose accumulated error is at least X (default: 0.01)")
      ->type_name("X");
  add_flag(app, "--follow", flags.follow, "print the view again every second until all runs have ended");
  return parse(app, arguments);
}

/// Throws UsageError for a flag that the view does not take.
void check_takes(bool views::NamedView::*takes, const char* flag, const std::string& view, const char* because) {
  std::vector<std::string> names;
  for (const views::NamedView& named : views::all_views()) {
    if (named.*takes) names.emplace_back(named.name);
  }
  if (contains(names, view)) return;
  throw text::UsageError(fmt::format("{} does not apply to the view '{}': {}. Views that it applies to are {}.", flag,
                                     view, because, text::listed(names)));
}

std::optional<analysis::Grouping> grouping_of(const ShowFlags& flags) {
  if (flags.group_by.empty()) return std::nullopt;
  const analysis::GroupBy by = views::group_by_from(flags.group_by);
  check_takes(&views::NamedView::takes_grouping, "--group-by", flags.view, "its rows are not call sites");
  return analysis::Grouping{by, views::filter_of(flags.selection)};
}

std::optional<queries::StepSpan> steps_of(const ShowFlags& flags) {
  if (flags.steps.empty()) return std::nullopt;
  const StepRange range = steps_from(flags.steps);
  check_takes(&views::NamedView::takes_steps, "--steps", flags.view, "its rows are not sums over op calls");
  return queries::StepSpan{range.first, range.last.value_or(std::numeric_limits<std::int64_t>::max())};
}

/// Throws UsageError for incompatible flags.
void check(const ShowFlags& flags) {
  const std::vector<std::string> names = view_names();
  if (!contains(names, flags.view)) {
    throw text::UsageError(fmt::format("Unknown view '{}'.{} Use one of {}.", flags.view,
                                       analysis::did_you_mean(flags.view, names), text::listed(names)));
  }
  if (!(flags.threshold > 0)) {
    throw text::UsageError("--threshold: write a relative error above 0; 0.01 is 1 %.");
  }
  if (flags.follow && flags.format != "table") throw text::UsageError("--follow prints tables only. Remove --format.");
  check_gpu(flags.target_gpu);
  const views::Selection& selection = flags.selection;
  const bool selects_rows = selection.phase || selection.op || selection.module || selection.sort || selection.limit;
  if (flags.view == "summary" && selects_rows) {
    throw text::UsageError(
        "The summary takes no flag that selects rows except --run. Name a view: ampprof show REPORT ops ...");
  }
  grouping_of(flags);
  steps_of(flags);
}

/// Applies the parts of the selection that were not applied before: the view has only the selected runs, and with
/// `is_filtered` only rows that the filters accept. Returns the number of rows that the limit cut.
std::size_t select_rest(views::View& view, views::Selection selection, bool is_filtered, views::Format format) {
  views::check_applies(view, selection);
  selection.run.reset();
  if (is_filtered) selection.phase = selection.op = selection.module = std::nullopt;
  if (views::is_for_people(format) && !selection.limit) {
    const bool is_shortened = view.shortened != nullptr && !selection.sort;
    is_shortened ? void(view.merged = view.shortened) : void(selection.limit = kReadableRows);
  }
  return views::select(view, selection);
}

/// Receives the text of a view and the number of rows that the limit cut.
using Put = std::function<void(const std::string& page, std::size_t left_out)>;

/// Makes the view and calls `put`. Then prints notes on stderr about omitted rows and missing data, if has_notes.
void put_view(const ShowFlags& flags, views::ViewSource& source, const text::Terminal& terminal, const Put& put) {
  const views::Format format = views::format_from(flags.format);
  const auto named = std::ranges::find(views::all_views(), flags.view, &views::NamedView::name);
  views::View view = named->make(source);
  const std::size_t left_out = select_rest(view, flags.selection, source.grouping || named->filters_sites, format);
  put(views::formatted(view, format, terminal), left_out);
  if (!flags.has_notes) return;
  views::note_left_out(view, left_out, format, terminal);
  // Programs that read JSON or CSV can query the view `missing`. After a table, the missing data is printed.
  if (views::is_for_people(format) && flags.view != "missing") views::print_missing(source.missing(), flags.report);
}

void put_summary(const ShowFlags& flags, views::ViewSource& source, const text::Terminal& terminal, const Put& put) {
  const views::Format format = views::format_from(flags.format);
  if (format == views::Format::Csv) fmt::print(stderr, "ampprof: CSV holds only the table of runs.\n");
  put(views::summary_of(source, flags.report, flags.threshold, format, terminal), 0);
}

void put_page(const ShowFlags& flags, const queries::Report& report, const text::Terminal& terminal, const Put& put) {
  const std::vector<queries::RunRow> runs =
      views::runs_wanted(queries::runs(report), flags.selection.run, flags.report);
  views::ViewSource source{report, runs, analysis::Targets(runs, flags.target_gpu), grouping_of(flags),
                           views::filter_of(flags.selection)};
  source.steps = steps_of(flags);
  (flags.view == "summary" ? put_summary : put_view)(flags, source, terminal, put);
}

int show(ShowFlags flags) {
  check(flags);
  flags.has_notes = !flags.follow;
  if (flags.follow) {
    follow(flags.report, [&](const queries::Report& report, const text::Terminal& terminal) {
      std::string now;
      put_page(flags, report, terminal, [&](const std::string& page, std::size_t) { now = page; });
      return now;
    });
    return kFine;
  }
  const text::Terminal terminal = text::terminal_of(STDOUT_FILENO);
  put_page(flags, queries::Report(flags.report), terminal, [](const std::string& page, std::size_t) {
    fmt::print("{}", page);
    std::fflush(stdout);
  });
  return kFine;
}

}  // namespace

int show_verb(const Arguments& arguments, const Installation&) {
  ShowFlags flags;
  return read(arguments, flags) ? show(flags) : kFine;
}

views::Json shown(const Arguments& arguments) {
  ShowFlags flags;
  flags.has_notes = false;
  Arguments words = arguments;
  words.push_back("--format=json");
  if (!read(words, flags)) throw text::UsageError("Name a report and a view.");
  check(flags);
  views::Json answer;
  put_page(flags, queries::Report(flags.report), text::Terminal{}, [&](const std::string& page, std::size_t left_out) {
    answer["rows"] = views::Json::parse(page);
    answer["rows_left_out"] = left_out;
  });
  return answer;
}

int watch_verb(const Arguments& arguments, const Installation&) {
  ShowFlags flags;
  flags.follow = true;
  CLI::App app("Follows a run in the terminal while it trains: what each run does now, and the summary of its report.",
               "ampprof watch");
  set_usage(app, "ampprof watch REPORT [OPTIONS]");
  app.footer("`ampprof show REPORT VIEW --follow` follows any other view.\n\nExample:\n  ampprof watch digits.ampprof");
  app.add_option("REPORT", flags.report, "follow this report of ampprof run")->required();
  add_run(app, flags.selection.run);
  return parse(app, arguments) ? show(flags) : kFine;
}

}  // namespace ampprof::cli

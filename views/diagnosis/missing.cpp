// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/missing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include "analysis/diagnosis/shortfalls.h"
#include "reports/queries/missing.h"
#include "reports/queries/runs.h"
#include "reports/records/saturating_add.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using analysis::Shortfall;

constexpr std::size_t kNamed = 2;

std::string label_of(const queries::MissingRow& row) {
  return text::printable(row.level.empty() ? "run " + std::to_string(row.run) : row.level);
}

Missing missing_of(const analysis::Shortfall& shortfall) {
  using Kind = analysis::Shortfall::Kind;
  switch (shortfall.kind) {
    case Kind::NotEnded:
      return {"the rest of the run", 1, "The program is still running, or was killed together with its recorder.",
              "Run it again."};
    case Kind::ProgramFailed:
      return {"the rest of the run", 1, fmt::format("The program ended with exit code {}.", shortfall.exit_code),
              "Read the output of the program."};
    case Kind::RecorderFailed:
      return {
          "the last records of the run", 1,
          "The program ended normally, but its recorder did not: the program ended with _exit() or in a child process.",
          "Run it again."};
    case Kind::StepsLeftOut:
      return {"steps that were not recorded", shortfall.count,
              fmt::format("{} of {} were recorded (--overhead, --every, --steps, ...).",
                          text::count(shortfall.of - shortfall.count), text::counted(shortfall.of, "step")),
              "Sums cover recorded steps only. --overhead off records every step."};
    case Kind::NoCasts:
      return {"casts of O1", 1, std::string("0 casts. ") + kNoCasts,
              "Leave autocast on around these ops, or treat the run as one in the program's own types."};
    case Kind::ShapesLeftOut:
      return {
          "shapes of op calls", shortfall.count,
          "A report distinguishes at most 64 kinds of arguments per call site, and 65,536 in all.",
          "Sums include the times, errors and ranges of these calls. Tensor Core rules judge the known shapes only."};
  }
  return {};
}

/// Merges missing data of the same name over all levels and causes.
std::vector<MissingThing> kinds_of(const std::vector<queries::MissingRow>& rows) {
  std::vector<queries::MissingRow> without_causes = rows;
  for (queries::MissingRow& row : without_causes) row.missing.cause = "";
  return missing_things(without_causes);
}

std::string phrase_of(const MissingThing& kind) {
  const auto& [missing, runs] = kind;
  return missing.count == 1
             ? fmt::format("{} ({})", text::printable(missing.what), runs)
             : fmt::format("{} ({}x, {})", text::printable(missing.what), text::count(missing.count), runs);
}

/// Keeps the first line of an exception, without its stack trace.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// A row of the view: missing data of a run, or ampprof's share of the time of a step.
struct MissingLine {
  queries::MissingRow row;
  std::optional<double> share = {};  ///< ampprof's share of the time of a step; empty for missing data
};

using MissingColumns = std::vector<ColumnOf<MissingLine>>;

MissingColumns where_missing() {
  return {number_column<MissingLine>({"run", "Number of the run in the report."},
                                     [](const MissingLine& line) { return line.row.run; }, "run", digits, {.spare = 1}),
          {.key = "level",
           .about = "Opt level of the run: O0 to O3. Null if the program sets its own precision.",
           .value = [](const MissingLine& line) { return known(line.row.level); },
           .title = "level",
           .cell = [](const MissingLine& line) -> Cell {
             return {text::printable(line.row.level), text::Tone::Strong};
           }}};
}

MissingColumns what_is_missing() {
  return {
      {.key = "what",
       .about = "What the report lacks.",
       .value = [](const MissingLine& line) -> Value { return line.row.missing.what; },
       .title = "what",
       .cell = [](const MissingLine& line) -> Cell {
         return {text::printable(line.row.missing.what), line.share ? text::Tone::Plain : text::Tone::Attention};
       },
       .flexible = true,
       .behind = "count"},
      number_column<MissingLine>(
          {"count", "Number of times that the item is missing. Null if `share` is known."},
          [](const MissingLine& line) { return line.share ? std::nullopt : std::optional(line.row.missing.count); },
          "count", text::count),
      {.key = "cause",
       .about = "Reason why the item is missing.",
       .value = [](const MissingLine& line) { return known(line.row.missing.cause); },
       .title = "cause",
       .cell = [](const MissingLine& line) -> Cell { return {text::printable(first_line(line.row.missing.cause))}; },
       .flexible = true},
      {.key = "remedy",
       .about = "What to do about it.",
       .value = [](const MissingLine& line) { return known(line.row.missing.remedy); },
       .title = "remedy",
       .cell = [](const MissingLine& line) -> Cell { return {text::printable(first_line(line.row.missing.remedy))}; },
       .flexible = true}};
}

const ViewOf<MissingLine>& declared_missing() {
  static const ViewOf<MissingLine> kView{
      .name = "missing",
      .columns =
          joined({where_missing(),
                  what_is_missing(),
                  {{.key = "share",
                    .about = "Share of a step's time that is ampprof's own overhead. Null in rows of missing data.",
                    .value = [](const MissingLine& line) { return value_of(line.share); }}}}),
      .none = "Nothing is missing.",
      .wraps = true,
      .notes =
          "Tables have one row for each item and cause, with all its runs; JSON and CSV have one row for each run. "
          "Besides gaps that recorders noted, rows show steps that were not recorded, the rest of a run that failed or "
          "was killed, and step times without ampprof's overhead. Sums of a run with --every N cover recorded steps "
          "only."};
  return kView;
}

bool is_counted(const View& view, const Record& record) {
  return std::holds_alternative<std::int64_t>(value_at(view, record, "count"));
}

/// A row of the table: missing data with one cause, and all runs that lack the data.
struct MergedRow {
  const Record* first;
  std::vector<std::string> runs = {};
  std::vector<std::string> levels = {};
  std::int64_t count = 0;

  void add(const View& view, const Record& record);
  std::vector<Cell> cells(const View& view) const;
};

void add_once(std::vector<std::string>& to, const std::string& text) {
  if (std::ranges::find(to, text) == to.end()) to.push_back(text);
}

void MergedRow::add(const View& view, const Record& record) {
  add_once(runs, std::to_string(std::get<std::int64_t>(value_at(view, record, "run"))));
  add_once(levels, text::printable(text_at(view, record, "level")));
  if (is_counted(view, record)) saturating_add(count, std::get<std::int64_t>(value_at(view, record, "count")));
}

std::vector<Cell> MergedRow::cells(const View& view) const {
  std::vector<Cell> cells = first->cells;
  const auto cell_of = [&](std::string_view key) -> Cell& {
    return cells.at(std::ranges::find(view.columns, key, &Column::key) - view.columns.begin());
  };
  cell_of("run").text = fmt::format("{}", fmt::join(runs, ", "));
  cell_of("level").text = fmt::format("{}", fmt::join(levels, ", "));
  if (is_counted(view, *first)) cell_of("count").text = text::count(count);
  return cells;
}

bool says_the_same(const View& view, const Record& a, const Record& b) {
  return text_at(view, a, "what") == text_at(view, b, "what") &&
         first_line(text_at(view, a, "cause")) == first_line(text_at(view, b, "cause")) &&
         is_counted(view, a) == is_counted(view, b);
}

/// Merges records that differ only in run, level and count. Keeps the order of the records.
std::vector<std::vector<Cell>> merged_rows(const View& view) {
  std::vector<MergedRow> rows;
  for (const Record& record : view.records) {
    const auto same = [&](const MergedRow& other) { return says_the_same(view, *other.first, record); };
    auto row = std::ranges::find_if(rows, same);
    if (row == rows.end()) row = rows.insert(rows.end(), MergedRow{&record});
    row->add(view, record);
  }
  std::vector<std::vector<Cell>> merged;
  for (const MergedRow& row : rows) merged.push_back(row.cells(view));
  return merged;
}

/// Returns the row about ampprof's own time in a step; empty if the time is 0 or unknown.
std::optional<MissingLine> overhead_of(const queries::RunRow& run) {
  if (!run.ms_per_step || run.overhead_ms_per_step.value_or(0) <= 0 || *run.ms_per_step <= 0) return std::nullopt;
  const double share = *run.overhead_ms_per_step / *run.ms_per_step;
  const std::string cause =
      fmt::format("ampprof's own overhead is {} of each {} step ({}).", text::milliseconds(*run.overhead_ms_per_step),
                  text::milliseconds(*run.ms_per_step), text::percent(share));
  const Missing missing{"step times without ampprof's overhead", 0, cause,
                        "Subtract the overhead, or use --reference off to record times only."};
  return MissingLine{{run.run, run.level, missing}, share};
}

/// Sorts missing data by count, the largest first. Rows with the same data and cause count together.
std::vector<queries::MissingRow> by_count(std::vector<queries::MissingRow> rows) {
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  const auto key_of = [](const queries::MissingRow& row) {
    return std::pair(row.missing.what, first_line(row.missing.cause));
  };
  for (const queries::MissingRow& row : rows) saturating_add(counts[key_of(row)], row.missing.count);
  std::ranges::stable_sort(rows, std::greater(), [&](const queries::MissingRow& row) { return counts[key_of(row)]; });
  return rows;
}

}  // namespace

std::vector<queries::MissingRow> missing_of(const std::vector<queries::RunRow>& runs,
                                            const std::vector<queries::MissingRow>& recorded) {
  std::vector<queries::MissingRow> rows;
  for (const analysis::Shortfall& shortfall : analysis::shortfalls_of(runs)) {
    rows.push_back({shortfall.run, shortfall.level, missing_of(shortfall)});
  }
  rows.insert(rows.end(), recorded.begin(), recorded.end());
  return rows;
}

std::vector<queries::MissingRow> missing_of(const queries::Report& report, const std::vector<queries::RunRow>& runs) {
  std::vector<queries::MissingRow> recorded;
  for (const queries::RunRow& run : runs) {
    std::vector<queries::MissingRow> rows = queries::missing(report, run.run);
    std::ranges::move(rows, std::back_inserter(recorded));
  }
  return missing_of(runs, recorded);
}

std::vector<MissingThing> missing_things(const std::vector<queries::MissingRow>& rows) {
  std::vector<MissingThing> things;
  for (const queries::MissingRow& row : rows) {
    const std::string label = label_of(row);
    const auto same = std::ranges::find_if(things, [&](const MissingThing& other) {
      return other.missing.what == row.missing.what && other.missing.cause == row.missing.cause;
    });
    if (same == things.end()) {
      things.push_back({row.missing, label});
    } else {
      saturating_add(same->missing.count, row.missing.count);
      if (!same->runs.ends_with(label)) same->runs += ", " + label;
    }
  }
  return things;
}

std::string note_of_missing(const std::vector<queries::MissingRow>& rows, const std::string& report) {
  const std::vector<MissingThing> kinds = kinds_of(rows);
  if (kinds.empty()) return {};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(kNamed, kinds.size()); ++i) parts.push_back(phrase_of(kinds[i]));
  if (kinds.size() > kNamed)
    parts.push_back(text::counted(static_cast<std::int64_t>(kinds.size() - kNamed), "further kind"));
  return fmt::format("not in these numbers: {}. Details: ampprof show {} missing", text::listed(parts),
                     text::printable(report));
}

void print_missing(const std::vector<queries::MissingRow>& rows, const std::string& report) {
  if (const std::string note = note_of_missing(rows, report); !note.empty()) fmt::print(stderr, "ampprof: {}\n", note);
}

Json to_json(const queries::MissingRow& row) {
  return json_of(joined({where_missing(), what_is_missing()}), MissingLine{row});
}

View missing_view(const std::vector<queries::MissingRow>& rows, const std::vector<queries::RunRow>& runs) {
  std::vector<MissingLine> lines;
  for (queries::MissingRow& row : by_count(rows)) lines.push_back({std::move(row)});
  for (const queries::RunRow& run : runs) {
    if (auto overhead = overhead_of(run)) lines.push_back(std::move(*overhead));
  }
  View view = view_of(declared_missing(), lines);
  view.merged = merged_rows;
  return view;
}

}  // namespace ampprof::views

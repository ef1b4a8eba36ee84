// SPDX-License-Identifier: Apache-2.0
#include "views/missing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "reports/records/saturating_add.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "views/format.h"

namespace ampprof::views {
namespace {

using analysis::Shortfall;

constexpr std::size_t kNamed = 2;

std::string label_of(const MissingRow& row) {
  return text::printable(row.level.empty() ? "run " + std::to_string(row.run) : row.level);
}

Missing missing_of(const analysis::Shortfall& shortfall) {
  using Kind = analysis::Shortfall::Kind;
  switch (shortfall.kind) {
    case Kind::NotEnded:
      return {"the rest of the run", 1, "It is still running, or it was killed with what recorded it.",
              "Run it again."};
    case Kind::ProgramFailed:
      return {"the rest of the run", 1, fmt::format("The program ended with exit code {}.", shortfall.exit_code),
              "Read what the program printed."};
    case Kind::RecorderFailed:
      return {"the last records of the run", 1,
              "The program ended well, but not what recorded it: it left by _exit() or in a child process.",
              "Run it again."};
    case Kind::StepsLeftOut:
      return {"steps that were not recorded", shortfall.count,
              fmt::format("{} of {} were recorded, as asked (--every, --steps, ...).",
                          text::count(shortfall.of - shortfall.count), text::counted(shortfall.of, "step")),
              "Sums are those of recorded steps; record all steps for the others."};
    case Kind::NoCasts:
      return {"casts of O1", 1, std::string("0 casts. ") + kNoCasts,
              "Leave autocast on there, or read the run as one in the program's own types."};
    case Kind::ShapesLeftOut:
      return {"shapes of op calls", shortfall.count,
              "64 kinds of arguments are told apart at each place, and 65,536 in all.",
              "Times, errors and ranges of these calls are in the sums; Tensor Core rules judge the shapes that are "
              "known."};
  }
  return {};
}

/// The same things at all levels and whatever their causes.
std::vector<MissingThing> kinds_of(const std::vector<MissingRow>& rows) {
  std::vector<MissingRow> without_causes = rows;
  for (MissingRow& row : without_causes) row.missing.cause = "";
  return missing_things(without_causes);
}

std::string phrase_of(const MissingThing& kind) {
  const auto& [missing, runs] = kind;
  return missing.count == 1
             ? fmt::format("{} ({})", text::printable(missing.what), runs)
             : fmt::format("{} ({}x, {})", text::printable(missing.what), text::count(missing.count), runs);
}

/// Exceptions bring a trace of calls behind their first line.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// A row of the table: what is missing for one reason, in all runs where it is.
struct MergedRow {
  const Record* first;
  std::vector<std::string> runs;
  std::vector<std::string> levels;
  std::int64_t count = 0;
};

void add_once(std::vector<std::string>& to, const std::string& text) {
  if (std::ranges::find(to, text) == to.end()) to.push_back(text);
}

constexpr std::size_t kRun = 0, kLevel = 1, kCount = 2, kWhat = 3, kCause = 4;

bool says_the_same(const Record& a, const Record& b) {
  return a.cells.at(kWhat).text == b.cells.at(kWhat).text && a.cells.at(kCause).text == b.cells.at(kCause).text &&
         a.json.at("count").is_null() == b.json.at("count").is_null();
}

std::vector<Cell> cells_of(const MergedRow& row) {
  std::vector<Cell> cells = row.first->cells;
  cells[kRun].text = fmt::format("{}", fmt::join(row.runs, ", "));
  cells[kLevel].text = fmt::format("{}", fmt::join(row.levels, ", "));
  if (!row.first->json.at("count").is_null()) cells[kCount].text = text::count(row.count);
  return cells;
}

/// In the order of the records.
std::vector<std::vector<Cell>> merged_rows(const std::vector<Record>& records) {
  std::vector<MergedRow> rows;
  for (const Record& record : records) {
    auto row = std::ranges::find_if(rows, [&](const MergedRow& other) { return says_the_same(*other.first, record); });
    if (row == rows.end()) row = rows.insert(rows.end(), MergedRow{&record, {}, {}, 0});
    add_once(row->runs, record.cells.at(kRun).text);
    add_once(row->levels, record.cells.at(kLevel).text);
    if (const Json& number = record.json.at("count"); number.is_number_integer()) {
      saturating_add(row->count, number.get<std::int64_t>());
    }
  }
  std::vector<std::vector<Cell>> merged;
  for (const MergedRow& row : rows) merged.push_back(cells_of(row));
  return merged;
}

Json with_share(Json json, std::optional<double> share) {
  json["share"] = exact(share);
  return json;
}

Record record_of(const MissingRow& row) {
  return {with_share(views::to_json(row), std::nullopt),
          {{std::to_string(row.run)},
           {text::printable(row.level), text::Tone::Strong},
           {text::count(row.missing.count)},
           {text::printable(row.missing.what), text::Tone::Attention},
           {text::printable(first_line(row.missing.cause))},
           {text::printable(first_line(row.missing.remedy))}}};
}

/// Empty where ampprof took no time of its own, or none is known.
std::optional<Record> overhead_of(const RunRow& run) {
  if (!run.ms_per_step || run.overhead_ms_per_step.value_or(0) <= 0 || *run.ms_per_step <= 0) return std::nullopt;
  const double share = *run.overhead_ms_per_step / *run.ms_per_step;
  const std::string what = "step times without ampprof's own";
  const std::string cause =
      fmt::format("{} of the {} of a step are ampprof's ({}).", text::milliseconds(*run.overhead_ms_per_step),
                  text::milliseconds(*run.ms_per_step), text::percent(share));
  const std::string remedy = "Take it off, or record times only: --reference off.";
  return Record{{{"run", run.run},
                 {"level", text_or_null(run.level)},
                 {"what", what},
                 {"count", nullptr},
                 {"cause", cause},
                 {"remedy", remedy},
                 {"share", exact(share)}},
                {{std::to_string(run.run)},
                 {text::printable(run.level), text::Tone::Strong},
                 {std::string(text::kAbsent)},
                 {what},
                 {cause},
                 {remedy}}};
}

/// What is missing most, in all runs together, comes first.
std::vector<MissingRow> by_count(std::vector<MissingRow> rows) {
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  const auto key_of = [](const MissingRow& row) { return std::pair(row.missing.what, first_line(row.missing.cause)); };
  for (const MissingRow& row : rows) saturating_add(counts[key_of(row)], row.missing.count);
  std::ranges::stable_sort(rows, std::greater(), [&](const MissingRow& row) { return counts[key_of(row)]; });
  return rows;
}

}  // namespace

std::vector<MissingRow> missing_of(const std::vector<RunRow>& runs, const std::vector<MissingRow>& recorded) {
  std::vector<MissingRow> rows;
  for (const analysis::Shortfall& shortfall : analysis::shortfalls_of(runs)) {
    rows.push_back({shortfall.run, shortfall.level, missing_of(shortfall)});
  }
  rows.insert(rows.end(), recorded.begin(), recorded.end());
  return rows;
}

std::vector<MissingRow> missing_of(const Report& report, const std::vector<RunRow>& runs) {
  std::vector<MissingRow> recorded;
  for (const RunRow& run : runs) {
    std::vector<MissingRow> rows = queries::missing(report, run.run);
    std::ranges::move(rows, std::back_inserter(recorded));
  }
  return missing_of(runs, recorded);
}

std::vector<MissingThing> missing_things(const std::vector<MissingRow>& rows) {
  std::vector<MissingThing> things;
  for (const MissingRow& row : rows) {
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

std::string note_of_missing(const std::vector<MissingRow>& rows, const std::string& report) {
  const std::vector<MissingThing> kinds = kinds_of(rows);
  if (kinds.empty()) return "";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(kNamed, kinds.size()); ++i) parts.push_back(phrase_of(kinds[i]));
  if (kinds.size() > kNamed)
    parts.push_back(text::counted(static_cast<std::int64_t>(kinds.size() - kNamed), "further kind"));
  return fmt::format("not in these figures: {}: ampprof show {} missing", text::listed(parts), text::printable(report));
}

void print_missing(const std::vector<MissingRow>& rows, const std::string& report) {
  if (const std::string note = note_of_missing(rows, report); !note.empty()) fmt::print(stderr, "ampprof: {}\n", note);
}

Json to_json(const MissingRow& row) {
  return {{"run", row.run},
          {"level", text_or_null(row.level)},
          {"what", row.missing.what},
          {"count", row.missing.count},
          {"cause", text_or_null(row.missing.cause)},
          {"remedy", text_or_null(row.missing.remedy)}};
}

View missing_view(const std::vector<MissingRow>& rows, const std::vector<RunRow>& runs) {
  View view{.name = "missing",
            .keys = {"run", "level", "what", "count", "cause", "remedy", "share"},
            .columns = {{.title = "run", .align = Align::Right, .spare = 1, .key = "run"},
                        {.title = "level", .key = "level"},
                        {.title = "count", .align = Align::Right, .key = "count"},
                        {.title = "what", .flexible = true, .key = "what"},
                        {.title = "cause", .flexible = true, .key = "cause"},
                        {.title = "remedy", .flexible = true, .key = "remedy"}},
            .records = {},
            .wraps = true,
            .none = "Nothing is missing.",
            .merged = merged_rows};
  for (const MissingRow& row : by_count(rows)) view.records.push_back(record_of(row));
  for (const RunRow& run : runs) {
    if (auto overhead = overhead_of(run)) view.records.push_back(std::move(*overhead));
  }
  return view;
}

}  // namespace ampprof::views

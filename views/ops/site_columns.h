// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "analysis/ops/group.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/ops/views.h"
#include "views/table/column.h"

/// Declares columns that several views share. The type Line either has the members run, level, phase, module and op, or
/// has a member `row` with these members.
namespace ampprof::views {

/// Returns the cell that names a run: by level, or by id if the level is unknown.
template <class Row>
Cell run_cell(const Row& row) {
  return {text::printable(row.level.empty() ? std::to_string(row.run) : row.level), text::Tone::Strong};
}

/// Returns the cell of a count, highlighted unless the count is 0.
inline Cell attention_if_any(std::int64_t n) {
  return {text::count(n), n > 0 ? text::Tone::Attention : text::Tone::Plain};
}

/// Returns the word for a phase; an absent value for a row without a phase.
inline Value word_of(const std::optional<Phase>& phase) {
  return phase ? Value(std::string(name_of(*phase))) : Value();
}

/// Returns the member `row` of a line, or the line itself if it has no such member.
template <class Line>
const auto& row_of(const Line& line) {
  if constexpr (requires { line.row; }) {
    return line.row;
  } else {
    return line;
  }
}

template <class Line>
ColumnOf<Line> run_id() {
  return {.key = "run", .about = "Number of the run in the report.", .value = [](const Line& line) -> Value {
            return row_of(line).run;
          }};
}

template <class Line>
ColumnOf<Line> run_level() {
  return {.key = "level",
          .about = "Opt level of the run: O0 to O3. Null if the program sets its own precision.",
          .value = [](const Line& line) { return known(row_of(line).level); },
          .title = "run",
          .cell = [](const Line& line) { return run_cell(row_of(line)); },
          .spare = kSpareIfSame};
}

/// Returns a cell with text from the report, made printable; text::kAbsent for "".
inline Cell text_cell(const std::string& text) { return {text::printable(text.empty() ? text::kAbsent : text)}; }

template <class Line>
ColumnOf<Line> site_name(std::string_view title = "call site", int spare = 0) {
  return {.key = "call_site",
          .about = "Call site: the phase (unless it is forward), the module path, the op and its ordinal.",
          .value = [](const Line& line) -> Value { return row_of(line).call_site; },
          .title = title,
          .cell = [](const Line& line) -> Cell { return {short_site(row_of(line).call_site, row_of(line).phase)}; },
          .flexible = true,
          .spare = spare};
}

template <class Line>
ColumnOf<Line> site_phase() {
  return {.key = "phase",
          .about = "Phase: forward, recompute, backward, optimizer or inference.",
          .value = [](const Line& line) { return word_of(row_of(line).phase); }};
}

template <class Line>
ColumnOf<Line> site_module() {
  return {.key = "module", .about = "Path of the module that calls the op.", .value = [](const Line& line) -> Value {
            return row_of(line).module;
          }};
}

template <class Line>
ColumnOf<Line> site_op() {
  return {.key = "op", .about = "Name of the op.", .value = [](const Line& line) -> Value { return row_of(line).op; }};
}

/// Returns a column of dtypes. `dtype_of` returns the dtype of a line.
template <class Line>
ColumnOf<Line> dtype_column(auto dtype_of) {
  return {.key = "dtype",
          .about = "Type of the elements.",
          .value = [dtype_of](const Line& line) -> Value { return std::string(short_name(dtype_of(line))); },
          .title = "type",
          .cell = [dtype_of](const Line& line) -> Cell { return {std::string(short_name(dtype_of(line)))}; }};
}

/// Returns the cell of a source line: the file's name without its directory.
inline Cell source_cell(const std::string& source) { return text_cell(text::short_source(source)); }

/// Returns a column of source lines. `source_of`, a member or a function of a line, yields FILE:LINE; "" if unknown.
template <class Line>
ColumnOf<Line> source_column(Named named, auto source_of, std::string_view title, std::string_view behind = "",
                             int spare = 0) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [source_of](const Line& line) { return known(std::invoke(source_of, line)); },
          .title = title,
          .cell = [source_of](const Line& line) { return source_cell(std::invoke(source_of, line)); },
          .flexible = true,
          .spare = spare,
          .behind = std::string(behind)};
}

/// Returns the column of the source line where a call site was first reached. A backward call has the line of its
/// forward op.
template <class Line>
ColumnOf<Line> site_source(std::string_view behind = "") {
  return source_column<Line>(
      {"source",
       "Line of the program that makes the call, as FILE:LINE. A backward call has the line of its forward op. Tables "
       "show the file's name alone."},
      [](const Line& line) { return row_of(line).source; }, "source", behind);
}

/// Returns the column with the number of call sites in a row. Tables show it only with a grouping (hidden_without()).
template <class Line>
ColumnOf<Line> call_sites(std::string_view behind = "call_site") {
  return number_column<Line>({"call_sites", "Number of call sites in the row; 1 without --group-by."},
                             [](const Line& line) { return line.call_sites; }, "sites", text::count,
                             {.behind = behind});
}

/// Returns the keys of the columns that tables omit without a grouping.
inline std::vector<std::string_view> hidden_without(const std::optional<analysis::Grouping>& grouping) {
  return grouping ? std::vector<std::string_view>{} : std::vector<std::string_view>{"call_sites"};
}

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "views/view.h"

/// How a view is declared: a column is one object, from which key, JSON, CSV, cells of tables, sorting, filtering and
/// tool tips follow.
namespace ampprof::views {

/// One column of a view, each of whose records is made of one Line.
template <class Line>
struct ColumnOf {
  std::string_view key = {};              ///< of JSON, CSV and --sort; "a.b" is key b of the object a; "": tables only
  Value (*value)(const Line&) = nullptr;  ///< null where there is no key
  std::string_view title = {};            ///< of tables
  Cell (*cell)(const Line&) = nullptr;    ///< null: not in tables
  Align align = Align::Left;
  bool flexible = false;         ///< see Column
  int spare = 0;                 ///< see Column
  std::string_view behind = {};  ///< key of the column that it stands behind in tables; "": as declared
  bool drawing = false;          ///< see Column

  Column heading() const { return {std::string(title), align, flexible, spare, std::string(key), drawing}; }
};

template <class Line>
struct ViewOf {
  std::string_view name;
  std::vector<ColumnOf<Line>> columns;  ///< in the order of JSON and CSV
  std::string_view none;                ///< the sentence for a table without rows
  bool wraps = false;                   ///< see Table
};

/// Returns an object of values by key; an object within it that holds nothing is null.
Json object_of(const std::vector<std::string>& keys, const std::vector<Value>& values);

/// Returns columns in the order of tables: each one that has to stand behind another is moved there.
template <class Line>
std::vector<const ColumnOf<Line>*> in_tables(const std::vector<ColumnOf<Line>>& columns,
                                             const std::vector<std::string_view>& hidden) {
  std::vector<const ColumnOf<Line>*> shown;
  std::vector<const ColumnOf<Line>*> moved;
  for (const ColumnOf<Line>& column : columns) {
    if (column.cell == nullptr || std::ranges::find(hidden, column.key) != hidden.end()) continue;
    (column.behind.empty() ? shown : moved).push_back(&column);
  }
  while (!moved.empty()) {
    const auto anchored = std::ranges::find_if(moved, [&](const auto* column) {
      return std::ranges::find(shown, column->behind, &ColumnOf<Line>::key) != shown.end();
    });
    if (anchored == moved.end()) break;  // what they stand behind is hidden
    const auto anchor = std::ranges::find(shown, (*anchored)->behind, &ColumnOf<Line>::key);
    shown.insert(anchor + 1, *anchored);
    moved.erase(anchored);
  }
  shown.insert(shown.end(), moved.begin(), moved.end());
  return shown;
}

/// Returns a view with one record for each line. `hidden`: keys of columns that its tables leave out.
template <class Line>
View view_of(const ViewOf<Line>& declared, const std::vector<Line>& lines,
             const std::vector<std::string_view>& hidden = {}) {
  View view{.name = std::string(declared.name), .wraps = declared.wraps, .none = std::string(declared.none)};
  const auto shown = in_tables(declared.columns, hidden);
  for (const auto* column : shown) view.columns.push_back(column->heading());
  for (const ColumnOf<Line>& column : declared.columns) {
    if (!column.key.empty()) view.keys.emplace_back(column.key);
  }
  for (const Line& line : lines) {
    Record& record = view.records.emplace_back();
    for (const ColumnOf<Line>& column : declared.columns) {
      if (!column.key.empty()) record.values.push_back(column.value(line));
    }
    for (const auto* column : shown) record.cells.push_back(column->cell(line));
    record.json = object_of(view.keys, record.values);
  }
  return view;
}

}  // namespace ampprof::views

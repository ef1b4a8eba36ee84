// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reports/text/numbers.h"
#include "reports/text/unit_of_key.h"
#include "views/table/view.h"

/// Declares views. One ColumnOf per column defines its JSON, CSV, table cells, order, filters and tool tip.
namespace ampprof::views {

/// Key, description and unit of a column.
struct Named {
  std::string key = {};    ///< see ColumnOf
  std::string about = {};  ///< see ColumnOf
  std::string unit = {};   ///< see ColumnOf
};

/// One column of a view. Each record of the view is made from one Line.
template <class Line>
struct ColumnOf {
  using ValueOf = std::function<Value(const Line&)>;
  using CellOf = std::function<Cell(const Line&)>;
  // GCC 12 fails with an internal error if a default member value below is used before these destructors are known.
  static_assert(std::is_nothrow_destructible_v<ValueOf> && std::is_nothrow_destructible_v<CellOf>);

  std::string key = {};         ///< key in JSON, CSV and --sort; "a.b" is key b of the object a; "": in tables only
  std::string about = {};       ///< a sentence that describes the column, for tool tips and the reference
  std::string unit = {};        ///< unit of the values; "" if the key implies it, see text::unit_of_key()
  ValueOf value = nullptr;      ///< a function of a line, or a member of Line; null if `key` is ""
  std::string_view title = {};  ///< title in tables
  CellOf cell = nullptr;        ///< null for a column that tables omit
  Align align = Align::Left;
  bool flexible = false;    ///< see Column
  int spare = 0;            ///< see Column
  std::string behind = {};  ///< key of the column before this column in tables; "" keeps the order of declaration
  bool drawing = false;     ///< see Column

  Column heading() const { return {std::string(title), align, flexible, spare, key, drawing, about}; }
  ColumnText described() const {
    return {key, std::string(title), unit.empty() ? std::string(text::unit_of_key(key)) : unit, about};
  }
};

/// Appearance of a column of numbers in tables.
struct NumberLook {
  int spare = 0;                        ///< see Column
  std::string_view behind = {};         ///< see ColumnOf
  text::Tone tone = text::Tone::Plain;  ///< tone of numbers above 0
};

/// Formats a number that identifies a step or a run: without thousands separators, without rounding.
inline std::string digits(std::int64_t number) { return std::to_string(number); }

/// Returns a column of numbers that may be absent. `number_of` is a member of Line or a function of a line. `show`
/// formats numbers for tables.
template <class Line, class Number>
ColumnOf<Line> number_column(Named named, auto number_of, std::string_view title, std::string (*show)(Number),
                             NumberLook look = {}) {
  const auto get = [number_of](const Line& line) { return std::optional(std::invoke(number_of, line)); };
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [get](const Line& line) { return value_of(get(line)); },
          .title = title,
          .cell = [get, show, tone = look.tone](const Line& line) -> Cell {
            const auto number = get(line);
            if (!number) return {std::string(text::kAbsent)};
            return {show(static_cast<Number>(*number)), *number > 0 ? tone : text::Tone::Plain};
          },
          .align = Align::Right,
          .spare = look.spare,
          .behind = std::string(look.behind)};
}

/// Appends columns of Part to columns of Line. Line derives from Part.
template <class Line, class Part>
void append(std::vector<ColumnOf<Line>>& columns, const std::vector<ColumnOf<Part>>& of_part) {
  for (const ColumnOf<Part>& column : of_part) {
    columns.push_back({column.key, column.about, column.unit, column.value, column.title, column.cell, column.align,
                       column.flexible, column.spare, column.behind, column.drawing});
  }
}

/// Returns the columns of all parts, in order.
template <class Line>
std::vector<ColumnOf<Line>> joined(std::initializer_list<std::vector<ColumnOf<Line>>> parts) {
  std::vector<ColumnOf<Line>> columns;
  for (const auto& part : parts) columns.insert(columns.end(), part.begin(), part.end());
  return columns;
}

/// Returns the columns without table cells, for JSON and CSV only.
template <class Line>
std::vector<ColumnOf<Line>> without_cells(std::vector<ColumnOf<Line>> columns) {
  for (ColumnOf<Line>& column : columns) column.cell = nullptr;
  return columns;
}

template <class Line>
struct ViewOf {
  std::string_view name;
  std::vector<ColumnOf<Line>> columns;  ///< in the order of JSON and CSV
  std::string_view none;                ///< see View
  std::string_view remedy = {};         ///< see View
  bool wraps = false;                   ///< see Table
  std::string_view notes = {};          ///< sentences for the reference that concern several columns
};

/// Returns a JSON object with the values by key. An inner object whose values are all absent becomes null.
Json object_of(const std::vector<std::string>& keys, const std::vector<Value>& values);

/// Appends the run's number to its level in tables, if several runs have that level (repeats, or recipes of one
/// --what-if). Does nothing if the table has a column of run numbers.
void tell_runs_apart(View& view);

/// Aligns the decimal points of a table column: shows all numbers with the same number of decimals, chosen so that the
/// largest number has at most `digits` significant digits. Numbers that would be rounded to 0, or are too large for
/// decimals, keep their text.
void align_decimals(View& view, std::string_view key, int digits);

/// Returns columns in the order of tables: each column with ColumnOf::behind follows the column that `behind` names.
/// `hidden` lists the keys of columns to omit.
template <class Line>
std::vector<const ColumnOf<Line>*> in_tables(const std::vector<ColumnOf<Line>>& columns,
                                             const std::vector<std::string_view>& hidden) {
  const auto key_of = [](const ColumnOf<Line>* column) -> const std::string& { return column->key; };
  std::vector<const ColumnOf<Line>*> shown;
  std::vector<const ColumnOf<Line>*> moved;
  for (const ColumnOf<Line>& column : columns) {
    if (column.cell) (column.behind.empty() ? shown : moved).push_back(&column);
  }
  const auto is_placed = [&](const ColumnOf<Line>* column) {
    return std::ranges::find(shown, column->behind, key_of) != shown.end();
  };
  for (auto next = moved.begin(); (next = std::ranges::find_if(moved, is_placed)) != moved.end(); moved.erase(next)) {
    shown.insert(std::ranges::find(shown, (*next)->behind, key_of) + 1, *next);
  }
  std::erase_if(shown, [&](const auto* column) { return std::ranges::find(hidden, column->key) != hidden.end(); });
  return shown;
}

/// Returns the JSON of one line.
template <class Line>
Json json_of(const std::vector<ColumnOf<Line>>& columns, const Line& line) {
  std::vector<std::string> keys;
  std::vector<Value> values;
  for (const ColumnOf<Line>& column : columns) {
    if (column.key.empty()) continue;
    keys.push_back(column.key);
    values.push_back(column.value(line));
  }
  return object_of(keys, values);
}

/// Returns a view with one record per line. `hidden` lists the keys of columns that tables omit.
template <class Line>
View view_of(const ViewOf<Line>& declared, const std::vector<Line>& lines,
             const std::vector<std::string_view>& hidden = {}) {
  View view{.name = std::string(declared.name),
            .wraps = declared.wraps,
            .none = std::string(declared.none),
            .remedy = std::string(declared.remedy),
            .notes = std::string(declared.notes)};
  const auto shown = in_tables(declared.columns, hidden);
  for (const auto* column : shown) view.columns.push_back(column->heading());
  for (const ColumnOf<Line>& column : declared.columns) {
    if (!column.key.empty()) view.keys.push_back(column.key);
    view.texts.push_back(column.described());
  }
  for (const Line& line : lines) {
    Record& record = view.records.emplace_back();
    for (const ColumnOf<Line>& column : declared.columns) {
      if (!column.key.empty()) record.values.push_back(column.value(line));
    }
    for (const auto* column : shown) record.cells.push_back(column->cell(line));
    record.json = object_of(view.keys, record.values);
  }
  tell_runs_apart(view);
  return view;
}

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "views/table/sentence.h"
#include "views/table/table.h"
#include "views/table/value.h"

namespace ampprof::views {

/// One row of a view in two forms: exact values for programs, cells for people.
struct Record {
  Json json = {};
  std::vector<Cell> cells = {};
  std::vector<Value> values = {};  ///< one for each of View::keys
};

/// Describes a column.
struct ColumnText {
  std::string key;    ///< "" for a column that only tables have
  std::string title;  ///< "" for a column that only JSON and CSV have
  std::string unit;   ///< "" for a number without a unit, or for text
  std::string about;  ///< a sentence
};

/// The records of one `show VIEW`, the same in every format.
struct View {
  std::string name;
  std::vector<std::string> keys = {};  ///< the columns of CSV; "a.b" is key b of the object a
  std::vector<Column> columns = {};    ///< the columns of tables
  std::vector<ColumnText> texts = {};  ///< one for each column, in the order of declaration
  std::vector<Record> records = {};
  bool wraps = false;       ///< see Table::wraps
  std::string none = {};    ///< a sentence: why there are no rows
  std::string remedy = {};  ///< a sentence: how to record rows; "" if there is nothing to do
  std::string notes = {};   ///< sentences for the reference; "" if there are none
  std::string order = {};   ///< sentence on the order of the records, printed above tables; "" if there is none
  /// Returns the rows of a table in which one row may stand for several records. Null if each record is a row.
  std::vector<std::vector<Cell>> (*merged)(const View&) = nullptr;
  std::vector<Sentence> said = {};  ///< sentences that sum up the records, printed above tables
  /// Returns the rows of a table if the user gives neither --sort nor --limit. Null if the table then has the first
  /// records.
  std::vector<std::vector<Cell>> (*shortened)(const View&) = nullptr;
};

/// Selects the records of a view to print, and their order.
struct Selection {
  std::optional<std::string> run = {};  ///< id or level
  std::optional<std::string> phase = {};
  std::optional<std::string> op = {};      ///< regular expression of RE2 that matches a part of the name
  std::optional<std::string> module = {};  ///< regular expression of RE2 that matches a part of the name
  std::optional<std::string> sort = {};    ///< key or title of a column; numbers descend, text ascends
  std::optional<std::size_t> limit = {};
};

/// Returns the sentences that replace a table without rows: View::none and View::remedy.
std::string in_place_of_rows(const View& view);

/// Returns the value at a key of View::keys ("a.b" is key b of the object a); null if there is none.
const Json& at_key(const Json& json, const std::string& key);

/// Returns the value at a key of View::keys; an absent value if the view lacks the key.
const Value& value_at(const View& view, const Record& record, std::string_view key);

/// Returns the text at a key of View::keys; "" if there is no text.
const std::string& text_at(const View& view, const Record& record, std::string_view key);

/// Throws UsageError, which names the view, if a flag of the selection filters by a key that the view lacks.
void check_applies(const View& view, const Selection& selection);

/// Returns a sentence on the order of records that are sorted by a key of View::keys. `is_reversed`: in the opposite
/// order of --sort.
std::string order_by(const View& view, std::string_view key, bool is_reversed = false);

/// Filters and sorts records, and adapts View::order. Returns the number of records that the limit cut. Throws
/// UsageError for an invalid selection.
std::size_t select(View& view, const Selection& selection);

}  // namespace ampprof::views

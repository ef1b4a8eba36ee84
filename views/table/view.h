// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "views/table/sentence.h"
#include "views/table/table.h"
#include "views/table/value.h"

namespace ampprof::views {

/// One row of a view, twice: exact for programs, readable for people.
struct Record {
  Json json = {};
  std::vector<Cell> cells = {};
  std::vector<Value> values = {};  ///< by View::keys
};

/// The records of one `show VIEW`, the same in every format.
struct View {
  std::string name;
  std::vector<std::string> keys = {};  ///< the columns of CSV; "a.b" is key b of the object a
  std::vector<Column> columns = {};    ///< the columns of tables
  std::vector<Record> records = {};
  bool wraps = false;     ///< see Table::wraps
  std::string none = {};  ///< the sentence for a table without rows
  /// Rows of tables, where those that say the same become one; null: each record is a row.
  std::vector<std::vector<Cell>> (*merged)(const View&) = nullptr;
  std::vector<Sentence> said = {};  ///< what the records come to, before tables
  /// Rows of tables of all records where the reader chose neither an order nor a limit; null: the first records.
  std::vector<std::vector<Cell>> (*shortened)(const View&) = nullptr;
};

/// Which records of a view to print, and in what order.
struct Selection {
  std::optional<std::string> run = {};  ///< id or level
  std::optional<std::string> phase = {};
  std::optional<std::string> op = {};      ///< regular expression of RE2, found anywhere
  std::optional<std::string> module = {};  ///< regular expression of RE2, found anywhere
  std::optional<std::string> sort = {};    ///< one of the view's keys; numbers descend, text ascends
  std::optional<std::size_t> limit = {};
};

/// The value at a key of View::keys; null where there is none.
const Json& at_key(const Json& json, const std::string& key);

/// Returns the value at a key of View::keys; an absent one where there is none.
const Value& value_at(const View& view, const Record& record, std::string_view key);

/// Returns the text at a key of View::keys; "" where there is none.
const std::string& text_at(const View& view, const Record& record, std::string_view key);

/// Throws UsageError, which names the view, for a flag that asks for what its rows do not have.
void check_applies(const View& view, const Selection& selection);

/// Drops and orders records. Returns how many the limit left out. Throws UsageError for a bad selection.
std::size_t select(View& view, const Selection& selection);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/store/sqlite.h"

namespace ampprof::merge {

struct ColumnShape {
  std::string name;
  bool is_text = false;
  std::string refers_to = {};  ///< table whose ids the column holds; "" for a value, or an id within the run
};

/// A table, as the schema of the report describes it.
struct TableShape {
  std::string name;
  std::vector<ColumnShape> columns;  ///< without `id`
  std::string id;                    ///< column whose ids SQLite assigns; "" if the recorder assigns them
  bool is_referred_to = false;       ///< another table refers to its ids
  bool has_rowid = true;
};

/// Returns all tables of a report, each after the tables that it refers to.
std::vector<TableShape> tables_of(store::Database& database);

}  // namespace ampprof::merge

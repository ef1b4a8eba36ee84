// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/store/sqlite.h"

namespace ampprof::merge {

struct ColumnShape {
  std::string name;
  bool is_text = false;
  std::string refers_to = {};  ///< table whose id it holds; "" for a value, or an id within the run
};

/// A table, as its own schema describes it.
struct TableShape {
  std::string name;
  std::vector<ColumnShape> columns;  ///< but for `id`
  std::string id;                    ///< column that SQLite numbers; "" where ids are the recorder's
  bool is_referred_to = false;       ///< another table holds this one's ids
  bool has_rowid = true;
};

/// All tables of a report, each behind those that it refers to.
std::vector<TableShape> tables_of(store::Database& database);

}  // namespace ampprof::merge

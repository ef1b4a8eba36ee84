// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/tables.h"

#include <algorithm>

namespace ampprof::merge {
namespace {

constexpr const char* kTables =
    "SELECT t.name, l.wr FROM sqlite_schema t JOIN pragma_table_list l ON l.name = t.name AND l.schema = 'main' "
    "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY t.rowid";

constexpr const char* kColumnsOfTable =
    "SELECT c.name, c.type, c.pk = 1 AND (SELECT max(pk) FROM pragma_table_info(?1)) = 1, coalesce(f.\"table\", '') "
    "FROM pragma_table_info(?1) c "
    "LEFT JOIN pragma_foreign_key_list(?1) f ON f.\"from\" = c.name ORDER BY c.cid";

void read_columns(store::Database& database, TableShape& table) {
  store::Statement rows(database, kColumnsOfTable, table.name);
  while (rows.next()) {
    ColumnShape column{.name = rows.text()};
    const std::string type = rows.text();
    const bool is_only_key = rows.flag();
    column.refers_to = rows.text();
    column.is_text = type == "TEXT";
    if (is_only_key && type == "INTEGER" && table.has_rowid) {
      table.id = column.name;
    } else {
      table.columns.push_back(std::move(column));
    }
  }
}

}  // namespace

std::vector<TableShape> tables_of(store::Database& database) {
  std::vector<TableShape> tables = store::rows_of(database, kTables, [](store::Statement& row) {
    TableShape table{.name = row.text(), .columns = {}, .id = {}};
    table.has_rowid = !row.flag();
    return table;
  });
  for (TableShape& table : tables) read_columns(database, table);
  for (const TableShape& table : tables) {
    for (const ColumnShape& column : table.columns) {
      const auto other = std::ranges::find(tables, column.refers_to, &TableShape::name);
      if (other != tables.end()) other->is_referred_to = true;
    }
  }
  return tables;
}

}  // namespace ampprof::merge

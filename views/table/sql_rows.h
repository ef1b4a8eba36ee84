// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "reports/queries/user_query.h"
#include "views/table/format.h"

/// Answers to queries of users, which have columns of their own.
namespace ampprof::views {

/// Lists the tables of a report and their columns.
inline constexpr const char* kListTables =
    "SELECT t.name AS \"table\", group_concat(c.name, ', ') AS columns "
    "FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' GROUP BY t.rowid ORDER BY t.rowid";

/// Returns what is wrong with a query as a sentence, with a name that was probably meant, and below it the line that it
/// is about. `remedy` goes on with the sentence.
std::string explained(const queries::QueryError& error, const std::filesystem::path& report, const std::string& query,
                      const std::string& remedy = {});

/// null, a number, a text; a BLOB is its bytes in hexadecimal, lower case.
Json to_json(const queries::SqlValue& value);

/// Every row as JSON (an array, one object a line) or CSV, printed as it comes. Of columns of the same name the second
/// is name_2, since an object has each key once.
void print_all(queries::UserQuery& query, Format format, std::FILE* file);

/// At most `limit` rows as objects, and whether there are more.
std::pair<Json, bool> first_objects(queries::UserQuery& query, std::size_t limit);

/// At most `limit` rows as a table, and whether there are more. Numbers are exact.
std::pair<View, bool> first_rows(queries::UserQuery& query, std::size_t limit);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "reports/queries/user_query.h"
#include "views/table/format.h"

/// Prints the results of users' SQL queries. The query defines the columns.
namespace ampprof::views {

/// A query that lists the tables of a report and their columns.
inline constexpr const char* kListTables =
    "SELECT t.name AS \"table\", group_concat(c.name, ', ') AS columns "
    "FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' GROUP BY t.rowid ORDER BY t.rowid";

/// Returns a sentence on what is wrong with a query, a similar name, and the faulty line below. `remedy` continues the
/// sentence.
std::string explained(const queries::QueryError& error, const std::filesystem::path& report, const std::string& query,
                      const std::string& remedy = {});

/// Returns null, a number or a text; a BLOB becomes lower-case hexadecimal.
Json to_json(const queries::SqlValue& value);

/// Prints each row as soon as it is read, as JSON (an array, one object per line) or CSV. Renames the second of two
/// columns `name` to name_2, because JSON keys are unique.
void print_all(queries::UserQuery& query, Format format, std::FILE* file);

/// Returns at most `limit` rows as objects, and whether there are more.
std::pair<Json, bool> first_objects(queries::UserQuery& query, std::size_t limit);

/// Returns at most `limit` rows as a table, and whether there are more. Numbers are exact.
std::pair<View, bool> first_rows(queries::UserQuery& query, std::size_t limit);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ampprof::queries {

/// The bytes of a BLOB.
struct SqlBytes {
  std::string bytes;

  bool operator==(const SqlBytes&) const = default;
};

/// NULL, INTEGER, REAL, clean_text() of TEXT, or a BLOB. A NaN is the text "nan" in a report.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string, SqlBytes>;

/// A query cannot be answered. what() is a sentence, or SQLite's own words.
class QueryError : public std::runtime_error {
 public:
  explicit QueryError(const std::string& what, std::optional<std::size_t> offset = std::nullopt)
      : std::runtime_error(what), offset_(offset) {}

  /// The byte of the query that it is about.
  std::optional<std::size_t> offset() const { return offset_; }

 private:
  std::optional<std::size_t> offset_;
};

/// One query that a user wrote, on a report that nobody vouches for. It can only read: SQLite compiles SELECT, EXPLAIN
/// and the pragmas that list tables and columns, and refuses everything else.
///
/// Throws QueryError for what the query did wrong, and ReportError for what the report did.
class UserQuery {
 public:
  /// `seconds` is how long SQLite may work on it; waiting for the reader of the rows does not count. Once a stop is
  /// requested, the query ends with QueryError.
  UserQuery(const std::filesystem::path& report, std::string_view sql, double seconds, std::stop_token stop = {});
  ~UserQuery();
  UserQuery(const UserQuery&) = delete;
  UserQuery& operator=(const UserQuery&) = delete;

  const std::vector<std::string>& columns() const;
  /// The next row; empty behind the last.
  std::optional<std::vector<SqlValue>> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The names of a report's tables and of all their columns, each once.
std::vector<std::string> names_in_schema(const std::filesystem::path& report);

/// Returns the names of a report's tables that have a row. Reads one row of each.
std::vector<std::string> tables_with_rows(const std::filesystem::path& report);

/// The names of a report's tables that have a column of this name.
std::vector<std::string> tables_with(const std::filesystem::path& report, const std::string& column);

}  // namespace ampprof::queries

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

/// A query failed. what() is a sentence, or SQLite's own words.
class QueryError : public std::runtime_error {
 public:
  explicit QueryError(const std::string& what, std::optional<std::size_t> offset = std::nullopt)
      : std::runtime_error(what), offset_(offset) {}

  /// Byte offset of the error in the query.
  std::optional<std::size_t> offset() const { return offset_; }

 private:
  std::optional<std::size_t> offset_;
};

/// A user's query on an untrusted report. It can only read: SQLite compiles SELECT, EXPLAIN and the pragmas that list
/// tables and columns, and refuses everything else.
///
/// Throws QueryError for errors of the query, and ReportError for errors of the report.
class UserQuery {
 public:
  /// `seconds` limits the time that SQLite may work on the query, without the caller's time between rows. Once a stop
  /// is requested, the query ends with QueryError.
  UserQuery(const std::filesystem::path& report, std::string_view sql, double seconds, std::stop_token stop = {});
  ~UserQuery();
  UserQuery(const UserQuery&) = delete;
  UserQuery& operator=(const UserQuery&) = delete;

  const std::vector<std::string>& columns() const;
  /// Returns the next row; empty after the last.
  std::optional<std::vector<SqlValue>> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the names of a report's tables and of all their columns, each once.
std::vector<std::string> names_in_schema(const std::filesystem::path& report);

/// Returns the names of a report's tables that are not empty. Reads one row of each.
std::vector<std::string> tables_with_rows(const std::filesystem::path& report);

/// Returns the names of a report's tables that have a column with this name.
std::vector<std::string> tables_with(const std::filesystem::path& report, const std::string& column);

}  // namespace ampprof::queries

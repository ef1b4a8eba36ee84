// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace ampprof::store {

/// Time that a connection waits for the lock of another process.
inline constexpr int kLockTimeoutMs = 10'000;

enum class OpenMode {
  Create,  ///< creates a missing file
  Write,   ///< opens an existing file
  Read,    ///< an existing untrusted file: read-only, hardened, with a work limit
  Rewrite  ///< a temporary copy of an untrusted file, to be migrated: with the hardening and limit of Read
};

/// One connection to a report file, for one thread at a time. Every failure is a ReportError that names the file.
class Database {
 public:
  Database(const std::filesystem::path& path, OpenMode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs statements without result rows.
  void run(const char* sql);
  /// Runs a statement and ignores a failure.
  void try_run(const char* sql) noexcept;
  std::int64_t pragma(const std::string& name);
  void wait_for_locks(int milliseconds);
  /// Sets the file's name for error messages, if it differs from path().
  void set_display_name(std::filesystem::path name) { name_ = std::move(name); }
  /// Returns whether the path now names another file or none.
  bool moved();
  /// Returns another connection to a read-only file for another thread; null if that is impossible.
  std::unique_ptr<Database> another();

  /// Throws a ReportError for SQLite's last error on this connection.
  [[noreturn]] void fail() const;

  sqlite3* handle() const { return handle_; }
  const std::filesystem::path& path() const { return path_; }
  /// Returns the file's name for error messages.
  const std::filesystem::path& name() const { return name_; }

 private:
  friend class Statement;
  bool is_trusted() const { return mode_ == OpenMode::Create || mode_ == OpenMode::Write; }
  /// Returns whether the file is read and a CancelScope of this thread is cancelled.
  bool is_cancelled() const;
  void close() noexcept;
  void harden();
  std::int64_t work_by_size() const;
  bool is_out_of_budget();
  sqlite3_stmt* compiled(std::string_view sql);
  void keep(sqlite3_stmt* statement) noexcept;

  std::filesystem::path path_;
  std::filesystem::path name_;
  OpenMode mode_;
  sqlite3* handle_ = nullptr;
  /// Compiled statements by SQL, kept for files that are read: a query over a thousand runs is compiled once.
  std::unordered_multimap<std::string, sqlite3_stmt*> idle_;
  std::int64_t allowed_ = 0;  ///< units of work that a statement on an untrusted file may do
  std::int64_t budget_ = 0;   ///< units left for the current statement
};

/// The current row of a statement. Each read returns the next column, so read columns in the order of the SQL.
///
/// A NaN is the text 'nan' in the file, because SQLite turns a NaN into NULL. Infinities are REAL.
class ResultRow {
 public:
  /// Returns whether the next column is NULL.
  bool at_null() const;
  std::int64_t integer();  ///< the column's value; 0 for NULL
  double real();           ///< the column's value; NaN for NULL
  std::string text();      ///< clean_text() of the column; "" for NULL
  std::string blob();      ///< the bytes as they are; "" for NULL
  std::optional<std::int64_t> optional_integer();
  std::optional<double> optional_real();
  bool flag() { return integer() != 0; }
  void skip(int count) { column_ += count; }

 protected:
  ResultRow() = default;
  ~ResultRow() = default;

  sqlite3_stmt* handle_ = nullptr;
  int column_ = 0;
};

/// A prepared statement. Each put() binds the next parameter.
class Statement : public ResultRow {
 public:
  Statement(Database& database, std::string_view sql);
  template <typename... Parameters>
  Statement(Database& database, std::string_view sql, const Parameters&... parameters) : Statement(database, sql) {
    (put(parameters), ...);
  }
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <std::integral T>
  Statement& put(T value) {
    return put_integer(static_cast<std::int64_t>(value));
  }
  template <typename T>
  Statement& put(const std::optional<T>& value) {
    return value ? put(*value) : put_null();
  }
  Statement& put(double value);
  Statement& put(std::string_view value);       ///< must live until execute() or the last next() ends
  Statement& put_blob(std::string_view bytes);  ///< NULL if empty; must live as long as a text in put()
  Statement& put_copy_of_blob(const std::string& bytes);
  Statement& put_null(int count = 1);
  /// Binds the next column of another statement's row unchanged. That statement must stay at the row until execute() or
  /// the last next().
  Statement& put_next_of(Statement& row);

  /// Makes the next put() bind the first parameter.
  void start_over() { parameter_ = 0; }

  /// Runs the statement to its end. Then it is ready for new parameters.
  void execute();
  /// Moves to the next row; false after the last.
  bool next();

 private:
  Statement& put_integer(std::int64_t value);
  void check(int code);

  Database& database_;
  int parameter_ = 0;
};

/// Returns the result of `read` for each row of a query.
template <typename Read, typename... Parameters>
auto rows_of(Database& database, std::string_view sql, const Read& read, const Parameters&... parameters) {
  Statement row(database, sql, parameters...);
  std::vector<std::invoke_result_t<Read, Statement&>> rows;
  while (row.next()) rows.push_back(read(row));
  return rows;
}

/// A write transaction. Its destructor rolls it back unless it was committed. Takes the write lock at once, so a commit
/// never fails because another process was faster.
class [[nodiscard]] Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
};

/// A read transaction: statements on the connection see the file as of one moment. Does nothing within another
/// transaction.
class [[nodiscard]] Snapshot {
 public:
  explicit Snapshot(Database& database);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Database& database_;
  bool is_outermost_;
};

}  // namespace ampprof::store

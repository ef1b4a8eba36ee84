// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/small_reports.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#include "tests/cli/synthetic_report.h"
#include "tests/reports/sample_report.h"

namespace ampprof::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytesOfEdit = 6;
constexpr std::size_t kReadVersionAt = 18;  // in SQLite's header, before the write version; 2 (WAL) fails
constexpr std::size_t kPage = 512;

using Connection = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

struct Edit {
  std::uint8_t kind, a, b, c, length, value;

  std::size_t place() const { return std::size_t{a} << 16 | std::size_t{b} << 8 | c; }
};

// Ignores bytes at the end of the input that do not fill an edit.
std::vector<Edit> edits_from(std::span<const std::uint8_t> bytes) {
  std::vector<Edit> edits(bytes.size() / kBytesOfEdit);
  for (std::size_t i = 0; i < edits.size(); ++i) std::memcpy(&edits[i], bytes.data() + i * kBytesOfEdit, kBytesOfEdit);
  return edits;
}

Connection opened(const std::string& name) {
  sqlite3* handle = nullptr;
  if (sqlite3_open(name.c_str(), &handle) != SQLITE_OK) std::abort();
  return {handle, sqlite3_close};
}

void run(const Connection& connection, const std::string& sql) {
  sqlite3_exec(connection.get(), sql.c_str(), nullptr, nullptr, nullptr);
}

Statement prepared(const Connection& connection, const std::string& sql) {
  sqlite3_stmt* handle = nullptr;
  sqlite3_prepare_v2(connection.get(), sql.c_str(), -1, &handle, nullptr);
  return {handle, sqlite3_finalize};
}

std::vector<Column> columns_of(const fs::path& path) {
  const Connection connection = opened(path);
  const Statement rows = prepared(
      connection, "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'");
  const auto text = [&](int column) {
    return std::string(reinterpret_cast<const char*>(sqlite3_column_text(rows.get(), column)));
  };
  std::vector<Column> columns;
  while (sqlite3_step(rows.get()) == SQLITE_ROW) columns.push_back({text(0), text(1)});
  if (columns.empty()) std::abort();
  return columns;
}

void repack(const fs::path& path) {
  run(opened(path), "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM;");
}

SmallReport read(const fs::path& path) { return {test_support::bytes_of(path), columns_of(path)}; }

/// Binds a value to a statement. Includes values that no correct program writes.
void bind(const Statement& statement, const Edit& edit) {
  constexpr std::array kIntegers{std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max(),
                                 std::int64_t{-1},
                                 std::int64_t{0},
                                 std::int64_t{1},
                                 std::int64_t{1} << 32};
  constexpr std::array kReals{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min(), -0.5};
  const std::string text(edit.length * std::size_t{edit.c}, static_cast<char>(edit.value));
  const int size = static_cast<int>(text.size());
  switch (edit.kind / 16 % 6) {
    case 0:
      sqlite3_bind_int64(statement.get(), 1, static_cast<std::int8_t>(edit.value));
      break;
    case 1:
      sqlite3_bind_int64(statement.get(), 1, kIntegers[edit.value % kIntegers.size()]);
      break;
    case 2:
      sqlite3_bind_double(statement.get(), 1, kReals[edit.value % kReals.size()]);
      break;
    case 3:
      sqlite3_bind_text(statement.get(), 1, text.data(), size, SQLITE_TRANSIENT);
      break;
    case 4:
      sqlite3_bind_blob(statement.get(), 1, text.data(), size, SQLITE_TRANSIENT);
      break;
    default:
      sqlite3_bind_text(statement.get(), 1, "nan", -1, SQLITE_STATIC);
  }
}

// Changes a value. Leaves the row unchanged if a constraint refuses the new value.
void change_row(const Connection& connection, const Column& column, const Edit& edit) {
  const std::string where =
      edit.b == 255 ? "" : " WHERE rowid = (SELECT rowid FROM " + column.table + " LIMIT 1 OFFSET ?2)";
  const bool deletes = edit.kind % 16 == 1;
  const Statement statement =
      prepared(connection, deletes ? "DELETE FROM " + column.table + where
                                   : "UPDATE OR REPLACE " + column.table + " SET " + column.name + " = ?1" + where);
  if (!statement) return;
  if (!deletes) bind(statement, edit);
  sqlite3_bind_int(statement.get(), 2, edit.b % 32);
  sqlite3_step(statement.get());
}

bool is_row_edit(const Edit& edit) { return edit.kind % 16 < 6; }

std::string with_rows_changed(const SmallReport& report, const std::vector<Edit>& edits) {
  if (std::ranges::none_of(edits, is_row_edit)) return report.bytes;
  const auto size = static_cast<sqlite3_int64>(report.bytes.size());
  auto* const memory = static_cast<unsigned char*>(sqlite3_malloc64(report.bytes.size()));
  std::memcpy(memory, report.bytes.data(), report.bytes.size());
  memory[kReadVersionAt] = memory[kReadVersionAt + 1] = 1;
  const Connection connection = opened(":memory:");
  sqlite3_deserialize(connection.get(), "main", memory, size, size,
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  run(connection, "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; BEGIN");
  for (const Edit& edit : edits) {
    if (is_row_edit(edit)) change_row(connection, report.columns[edit.a % report.columns.size()], edit);
  }
  run(connection, "COMMIT");
  sqlite3_int64 length = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(connection.get(), "main", &length, 0), sqlite3_free);
  if (!bytes) std::abort();
  std::string result(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(length));
  result.replace(kReadVersionAt, 2, report.bytes, kReadVersionAt, 2);
  return result;
}

void change_bytes(std::string& bytes, const Edit& edit) {
  if (bytes.empty()) return;
  const std::size_t at = edit.place() % bytes.size();
  switch (edit.kind % 16) {
    case 6:
      bytes.resize(at);
      break;
    case 7:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                  std::min<std::size_t>(edit.length, bytes.size() - at), static_cast<char>(edit.value));
      break;
    case 8:  // copies another page
      bytes.replace(at / kPage * kPage, kPage, bytes, edit.value * kPage % bytes.size(), kPage);
      break;
    case 9:
      bytes[at % std::min<std::size_t>(100, bytes.size())] = static_cast<char>(edit.value);  // the file's header
      break;
    case 10:  // the header of the page
      bytes[std::min(at / kPage * kPage + edit.length % 12, bytes.size() - 1)] = static_cast<char>(edit.value);
      break;
    default:
      bytes[at] = static_cast<char>(edit.value);
  }
}

}  // namespace

std::vector<SmallReport> small_reports(const fs::path& folder) {
  cli::write_synthetic_report(folder / "net");
  testing_reports::write_sample_report(folder / "steps");
  std::vector<SmallReport> reports{read(folder / "steps")};
  repack(folder / "net");
  repack(folder / "steps");
  reports.insert(reports.begin(), {read(folder / "net"), read(folder / "steps")});
  return reports;
}

std::string damaged(const SmallReport& report, std::span<const std::uint8_t> bytes) {
  const std::vector<Edit> edits = edits_from(bytes);
  std::string result = with_rows_changed(report, edits);
  for (const Edit& edit : edits) {
    if (!is_row_edit(edit)) change_bytes(result, edit);
  }
  return result;
}

}  // namespace ampprof::fuzz

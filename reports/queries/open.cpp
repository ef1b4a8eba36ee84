// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/open.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "reports/queries/in_parallel.h"
#include "reports/store/report_error.h"
#include "reports/store/schema.h"

namespace ampprof::queries {
namespace {

namespace fs = std::filesystem;

constexpr int kReadVersionAt = 19;
constexpr int kWalVersion = 2;

// Never call this for a report that this process has open elsewhere. Closing any descriptor of a file drops all POSIX
// locks of the process on it, including those of SQLite.
bool is_in_wal_mode(const fs::path& report) {
  std::ifstream file(report, std::ios::binary);
  return file.seekg(kReadVersionAt).get() == kWalVersion;
}

// Opening a pipe would block for ever.
void check_is_file(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw store::ReportError("cannot open the report " + path.string() + ": " +
                             (error ? error.message() : "it does not exist"));
  }
  if (fs::is_directory(status)) throw store::ReportError(path.string() + " is a directory, not an ampprof report");
  if (!fs::is_regular_file(status))
    throw store::ReportError(path.string() + " is not a regular file, so it is not an ampprof report");
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0) return;
  throw store::ReportError("cannot read the report " + path.string() + ": " + std::generic_category().message(errno));
}

// Leaves out the chunks of finished runs: they may be gigabytes, and few views read them. each_call() checks them.
// Leaves out NVTX ranges if there are very many.
const std::string kTablesOfViews =
    "SELECT t.name FROM sqlite_schema t "
    "WHERE t.type = 'table' AND (t.name <> 'call_chunk' OR EXISTS (SELECT 1 FROM run WHERE wall_ns IS NULL)) "
    "AND (t.name <> 'nvtx_range' OR coalesce((SELECT max(rowid) FROM nvtx_range), 0) < 100000)";
const std::string kCheckAll = "SELECT integrity_check FROM pragma_integrity_check(1)";
const std::string kCheckTable = "SELECT integrity_check FROM pragma_integrity_check(?)";
constexpr std::uintmax_t kLarge = 16 << 20;  // smallest file in bytes that is checked by several threads

std::vector<std::string> tables_of_views(store::Database& database) {
  return store::rows_of(database, kTablesOfViews, [](store::Statement& table) { return table.text(); });
}

/// Checks tables one by one with the same statement, so that its work budget covers all of them.
struct TableCheck {
  explicit TableCheck(store::Database& database) : statement(database, kCheckTable) {}
  explicit TableCheck(std::unique_ptr<store::Database> other)
      : connection(std::move(other)), statement(*connection, kCheckTable) {}

  std::string verdict_on(const std::string& table) {
    statement.put(table);
    const std::string verdict = statement.next() ? statement.text() : "";
    while (statement.next()) {
    }
    return verdict;
  }

  std::unique_ptr<store::Database> connection = nullptr;
  store::Statement statement;
};

void throw_unless_whole(const fs::path& path, const std::string& verdict) {
  if (verdict != "ok") throw store::ReportError("the report " + path.string() + " is damaged: " + verdict);
}

// If pages contradict each other, SQLite silently finds fewer rows.
void check_all(store::Database& database, const fs::path& path, const OpenProgress& progress) {
  store::Statement check(database, kCheckAll);
  throw_unless_whole(path, check.next() ? check.text() : "");
  if (progress) progress(1, 1);
}

void check_for_views(store::Database& database, const fs::path& path, const OpenProgress& progress) {
  const std::vector<std::string> tables = tables_of_views(database);
  const auto total = static_cast<std::int64_t>(tables.size());
  std::error_code ignored;
  const bool is_large = fs::file_size(database.path(), ignored) >= kLarge && !ignored;
  TableCheck own(database);
  std::atomic<std::int64_t> checked = 0;
  std::int64_t told = 0;
  const auto make = [&]() -> std::unique_ptr<TableCheck> {
    auto connection = is_large ? database.another() : nullptr;
    return connection ? std::make_unique<TableCheck>(std::move(connection)) : nullptr;
  };
  in_parallel(tables.size(), own, make, [&](TableCheck& check, std::size_t i) {
    throw_unless_whole(path, check.verdict_on(tables[i]));
    const std::int64_t so_many = ++checked;
    if (progress && &check == &own) progress(told = so_many, total);
  });
  if (progress && told != total) progress(total, total);
}

void connect(OpenReport& report, const fs::path& path) {
  report.database.reset();
  report.database = std::make_unique<store::Database>(report.copy ? report.copy->path() : path, store::OpenMode::Read);
  report.database->set_display_name(path);
  store::check_is_report(*report.database);
}

void migrate_copy(OpenReport& report, const fs::path& path) {
  if (!report.copy) report.copy = std::make_unique<TemporaryCopy>(path);
  connect(report, path);
  check_all(*report.database, path, {});  // schema steps may rewrite any page, which would hide damage in it
  report.database.reset();
  {
    store::Database writable(report.copy->path(), store::OpenMode::Rewrite);
    writable.set_display_name(path);
    store::migrate(writable);
  }
  connect(report, path);
}

}  // namespace

bool can_write_in(const fs::path& folder) {
  const fs::path place = folder.empty() ? fs::path(".") : folder;
  return ::faccessat(AT_FDCWD, place.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

bool needs_copy(const fs::path& report, const CanWrite& can_write) {
  if (fs::exists(report.string() + "-journal")) return true;
  const bool has_log = fs::exists(report.string() + "-wal");
  std::error_code ignored;
  if (has_log && !fs::is_regular_file(report.string() + "-shm", ignored)) return true;
  if (can_write(report.parent_path())) return false;
  return has_log || is_in_wal_mode(report);
}

OpenReport::OpenReport(const fs::path& path, Reads reads, const CanWrite& can_write, const OpenProgress& progress) {
  check_is_file(path);
  if (needs_copy(path, can_write)) copy = std::make_unique<TemporaryCopy>(path);
  connect(*this, path);
  if (store::is_of_earlier_version(*database)) migrate_copy(*this, path);
  reads == Reads::Tables ? check_all(*database, path, progress) : check_for_views(*database, path, progress);
  store::check_is_of_this_version(*database);
}

}  // namespace ampprof::queries

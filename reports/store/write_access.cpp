// SPDX-License-Identifier: Apache-2.0
#include "reports/store/write_access.h"

#include <system_error>

#include "reports/store/report_error.h"
#include "reports/store/schema.h"
#include "reports/store/shared_memory.h"

namespace ampprof::store {
namespace {

/// Makes the next statement keep its locks. In this mode, SQLite keeps the index of the log in this process's memory.
constexpr const char* kAlone = "PRAGMA locking_mode = EXCLUSIVE";

/// Folds the log of a killed recorder, and leaves WAL mode. Locking modes change at the next access, so each is
/// followed by a read of the schema version.
constexpr const char* kWithoutLog =
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA schema_version; PRAGMA journal_mode = DELETE;"
    "PRAGMA locking_mode = NORMAL; PRAGMA schema_version;";

/// Removes the log's index (-shm) that a failed attempt to share it has left, since readers would use it.
void remove_index_of(const std::filesystem::path& report) {
  std::error_code ignored;
  const std::filesystem::path index = report.string() + "-shm";
  if (std::filesystem::symlink_status(index, ignored).type() != std::filesystem::file_type::regular) return;
  std::filesystem::remove(index, ignored);
}

std::filesystem::path existing(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return path;
  throw ReportError("cannot write into the report " + path.string() + ": it does not exist");
}

// The read after the change to WAL mode creates the log's index, so that a failure shows here.
std::unique_ptr<Database> open_shared(const std::filesystem::path& path) {
  auto database = std::make_unique<Database>(path, OpenMode::Write);
  migrate(*database);
  database->run("PRAGMA journal_mode = WAL; PRAGMA schema_version;");
  return database;
}

std::unique_ptr<Database> open_alone(const std::filesystem::path& path) {
  auto database = std::make_unique<Database>(path, OpenMode::Write);
  database->run(kAlone);
  migrate(*database);
  database->run(kWithoutLog);
  remove_index_of(path);
  return database;
}

}  // namespace

WriteAccess::WriteAccess(const std::filesystem::path& path) : is_shared_(has_shared_memory(existing(path))) {
  try {
    if (is_shared_) database_ = open_shared(path);
  } catch (const NoSharedMemory&) {
    is_shared_ = false;
  }
  if (!is_shared_) database_ = open_alone(path);
  database_->run("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000;");
}

void WriteAccess::prepare() {
  if (database_->moved()) {
    throw ReportError("the report " + database_->path().string() +
                      " was removed or replaced while the program ran; all records from now on are lost");
  }
  if (!is_shared_ && !is_kept_) database_->run(kWithoutLog);
}

void WriteAccess::keep() {
  if (is_shared_ || is_kept_) return;
  database_->run(kAlone);
  database_->run("PRAGMA journal_mode = WAL");
  is_kept_ = true;
}

void WriteAccess::give_back() {
  if (!is_kept_) return;
  database_->run(kWithoutLog);
  is_kept_ = false;
}

}  // namespace ampprof::store

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "reports/store/sqlite.h"

namespace ampprof::store {

/// A writer's connection to an existing report, which also arranges how processes share the file.
///
/// If processes share memory, the file is in WAL mode, and all processes may write at any time. Otherwise a recorder
/// has exclusive access from keep() to give_back(), in WAL mode, with the log's index in its own memory. Before and
/// after that, the file is not in WAL mode and is locked for each transaction only, so that any process may read and
/// write it.
class WriteAccess {
 public:
  /// Throws ReportError if the report does not exist, or if another process has exclusive access.
  explicit WriteAccess(const std::filesystem::path& path);

  Database& database() { return *database_; }

  /// Prepares a use of the file; call it before each. Throws ReportError if the file was removed or replaced: SQLite
  /// would continue to write into a file without a name.
  void prepare();
  /// Locks the file for this process until give_back(), if processes cannot share it. Call both outside of
  /// transactions.
  void keep();
  void give_back();

 private:
  std::unique_ptr<Database> database_;  ///< never null
  bool is_shared_;
  bool is_kept_ = false;
};

}  // namespace ampprof::store

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "reports/store/sqlite.h"

namespace ampprof::store {

/// A writer's connection to an existing report, which holds our tables, and how it shares the file with other
/// processes.
///
/// Where processes share memory the file is in WAL mode, and all may write at any time. Elsewhere a recorder has the
/// file to itself from keep() to give_back(): in WAL mode, with the log's index in its own memory. Before and after
/// that the file is in no WAL mode and locked for each transaction only, so that any process may read and write it.
class WriteAccess {
 public:
  /// Throws ReportError where there is no report, or another process keeps it.
  explicit WriteAccess(const std::filesystem::path& path);

  Database& database() { return *database_; }

  /// Comes before each use of the file. Throws ReportError where it was removed or replaced: SQLite would write on into
  /// a file without a name.
  void prepare();
  /// Keeps the file for this process, where it cannot be shared. Within no transaction, as give_back().
  void keep();
  void give_back();

 private:
  std::unique_ptr<Database> database_;  ///< never null
  bool is_shared_;
  bool is_kept_ = false;
};

}  // namespace ampprof::store

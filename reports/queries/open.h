// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "reports/queries/report.h"
#include "reports/queries/temporary_copy.h"
#include "reports/store/sqlite.h"

namespace ampprof::queries {

using CanWrite = std::function<bool(const std::filesystem::path& folder)>;

bool can_write_in(const std::filesystem::path& folder);

/// Returns whether a report must be copied to be read. SQLite reads a file in WAL mode only if it can create the log's
/// index, or share the index of a writer. A writer that keeps the index in its own memory has a log without `-shm`. If
/// a writer was killed within a transaction outside of WAL mode, SQLite reads the file only if it can roll the
/// transaction back.
bool needs_copy(const std::filesystem::path& report, const CanWrite& can_write = can_write_in);

/// Purpose of an opened report: the queries of this folder, or direct access to its tables.
enum class Reads { Views, Tables };

/// A report opened for reading. Opens a copy if `needs_copy()`, or to migrate an earlier schema version. Checks the
/// file's integrity, since SQLite would silently lose rows of a damaged one. Damage throws a ReportError: in the
/// constructor, or in each_call() for chunks that the constructor does not check.
struct OpenReport {
  explicit OpenReport(const std::filesystem::path& path, Reads reads = Reads::Views,
                      const CanWrite& can_write = can_write_in, const OpenProgress& progress = {});

  std::unique_ptr<TemporaryCopy> copy;  ///< outlives the connection
  std::unique_ptr<store::Database> database;
};

}  // namespace ampprof::queries

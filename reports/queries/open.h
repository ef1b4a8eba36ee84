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

/// Whether a report must be copied to be read: SQLite reads a file in WAL mode only where it can make the log's index
/// and share it with a writer (one that keeps the index to itself has a log without `-shm`), and a file whose writer
/// was killed within a transaction only where it can take that back.
bool needs_copy(const std::filesystem::path& report, const CanWrite& can_write = can_write_in);

/// Tells what a report is opened for: the queries of this folder, or its tables as they are.
enum class Reads { Views, Tables };

/// A report opened for reading; of a copy where `needs_copy()`, and where it is of an earlier schema version: then the
/// copy is migrated. Its pages agree with each other: no row that is read is lost without a ReportError, which the
/// constructor throws, or each_call() for chunks.
struct OpenReport {
  explicit OpenReport(const std::filesystem::path& path, Reads reads = Reads::Views,
                      const CanWrite& can_write = can_write_in, const OpenProgress& progress = {});

  std::unique_ptr<TemporaryCopy> copy;  ///< outlives the connection
  std::unique_ptr<store::Database> database;
};

}  // namespace ampprof::queries

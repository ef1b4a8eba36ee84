// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace ampprof::store {
class Database;
}

/// Queries are free functions over a report, in headers by subject. Each query reads a consistent snapshot of the file,
/// even if a run is in progress.
namespace ampprof::queries {

/// Receives the progress of opening a report: the number of checked tables, and of all tables. Called on the thread
/// that opens the report.
using OpenProgress = std::function<void(std::int64_t checked, std::int64_t tables)>;

/// A report opened for reading: read-only, defensive, never changed. A report in a read-only folder with a separate
/// write-ahead log is read from a temporary copy. A report of an earlier schema version is read from a migrated copy.
/// Throws ReportError with a sentence, as all queries do.
class Report {
 public:
  explicit Report(const std::filesystem::path& path, const OpenProgress& progress = {});
  ~Report();
  Report(Report&&) noexcept;

  /// Opens the same report again for another thread. Null if that is impossible. The result must not outlive this
  /// object.
  std::unique_ptr<Report> another() const;

  /// The connection, for the queries.
  operator store::Database&() const;

 private:
  Report();

  struct State;
  std::unique_ptr<State> state_;
};

/// Steps from first to last, inclusive.
struct StepSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const StepSpan&) const = default;
};

using RunFilter = std::optional<std::int64_t>;  ///< one run, or all
using StepFilter = std::optional<StepSpan>;     ///< some steps, or all

}  // namespace ampprof::queries

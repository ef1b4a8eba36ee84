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

/// Queries are free functions over a report, in headers by subject. Each reads the file as of one moment, although a
/// run may go on.
namespace ampprof::queries {

/// Hears, while a report is opened, how many of the tables that are checked then have been; on the thread that opens
/// it.
using OpenProgress = std::function<void(std::int64_t checked, std::int64_t tables)>;

/// A report opened for reading: read-only, defensive, never changed. A report in a read-only folder whose write-ahead
/// log was not folded in is read from a temporary copy, one of an earlier schema version from a copy that was migrated.
/// Throws ReportError with a sentence, as all queries do.
class Report {
 public:
  explicit Report(const std::filesystem::path& path, const OpenProgress& progress = {});
  ~Report();
  Report(Report&&) noexcept;

  /// Returns the same report for another thread, which must not outlive this; null where that cannot be.
  std::unique_ptr<Report> another() const;

  /// The connection, for the queries.
  operator store::Database&() const;

 private:
  Report();

  struct State;
  std::unique_ptr<State> state_;
};

/// Steps from the first to the last, both included.
struct StepSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const StepSpan&) const = default;
};

using RunFilter = std::optional<std::int64_t>;  ///< one run, or all
using StepFilter = std::optional<StepSpan>;     ///< some steps, or all

}  // namespace ampprof::queries

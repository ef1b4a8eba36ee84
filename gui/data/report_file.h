// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/op_total.h"
#include "reports/records/time_span.h"

namespace ampprof::analysis {
struct Representatives;
}

namespace ampprof::queries {
struct OpRow;
struct RunRow;
struct SiteStepRow;
struct SpanCall;
}  // namespace ampprof::queries

namespace ampprof::views {
struct View;
}

namespace ampprof::gui {

class Board;
struct ComparedSide;
struct DiagnosedFinding;
struct LossCurves;
struct Measured;
struct Overflow;
struct Overview;
struct TimelinePicture;
struct TimelineRun;
struct ViewRequest;

/// A report that is open in a window. Uses the views of the command line, so that window and command line show the
/// same. Thread-safe: a lock serializes the views.
class ReportFile {
 public:
  /// Throws ReportError, whose message is a sentence for the user.
  explicit ReportFile(std::filesystem::path path, const queries::OpenProgress& progress = {});
  ~ReportFile();

  const std::filesystem::path& path() const { return path_; }
  const std::vector<queries::RunRow>& runs() const { return runs_; }
  /// Returns the label of `run`, which must be in runs().
  const std::string& label(const queries::RunRow& run) const;

  Overview overview() const;
  /// Returns the findings, the costliest first.
  std::vector<DiagnosedFinding> diagnosis() const;
  /// Returns a loss curve for each of runs(). If `representatives` is not null, returns a band for each launch of many
  /// ranks, and curves only for the ranks that stand out.
  LossCurves losses(const analysis::Representatives* representatives) const;
  /// Returns a view of `ampprof show`. Throws UsageError if a pattern in `request` is an invalid regular expression.
  views::View view(const ViewRequest& request) const;
  Overflow overflow(std::int64_t run) const;
  /// Returns the runs of a level, or the run with an id, as one side of a comparison. Throws UsageError if there is no
  /// such run.
  ComparedSide side(const std::string& wanted) const;
  /// Returns the board of `run`, which must be in runs().
  std::shared_ptr<const Board> board(const queries::RunRow& run) const;

  /// Returns `read(report)`, called with the connection for views under its lock.
  template <class Read>
  auto readViews(Read read) const {
    const std::lock_guard lock(mutex_);
    return read(report_);
  }
  /// Returns `read(report)`, called with the connection for op calls under its lock. Only views that are restricted to
  /// steps wait for this lock.
  template <class Read>
  auto readCalls(Read read) const {
    const std::lock_guard lock(calls_mutex_);
    return read(calls());
  }

  std::shared_ptr<const TimelineRun> timelineRun(std::int64_t run) const;
  std::shared_ptr<const TimelinePicture> timelinePicture(const TimelineRun& run, const TimeSpan& span, int bins,
                                                         std::int64_t most_calls) const;
  Measured measured(std::int64_t run, const TimeSpan& span, std::int64_t most) const;

 private:
  /// Returns the connection for op calls. The caller must hold calls_mutex_.
  const queries::Report& calls() const;

  std::filesystem::path path_;
  mutable std::mutex mutex_;
  queries::Report report_;
  std::vector<queries::RunRow> runs_;
  std::vector<std::string> labels_;
  // A second connection for op calls. Reading op calls takes seconds for a large report, and views of all steps must
  // not wait for that.
  mutable std::mutex calls_mutex_;
  mutable std::optional<queries::Report> calls_;
};

/// Reads the values of a call site in each step. Waits for the lock, then calls `is_wanted()`; if that returns false,
/// returns an empty list without reading.
std::vector<queries::SiteStepRow> stepsOf(const ReportFile& file, const queries::OpRow& site,
                                          const std::function<bool()>& is_wanted);

/// Returns the first call from any of the call sites `places` that starts at or after `from_ns`. If none is found,
/// searches again from the start of the run. Each search covers about `most_calls` calls.
std::optional<queries::SpanCall> nextCall(const ReportFile& file, std::int64_t run,
                                          const std::vector<SiteInStep>& places, std::int64_t from_ns,
                                          std::int64_t most_calls);

/// Returns the board of the run that advice is about by default; null if there is none.
std::shared_ptr<const Board> advisedBoard(const ReportFile& file);

/// Returns the board of the first run at a level; null if there is none.
std::shared_ptr<const Board> boardAt(const ReportFile& file, const std::string& level);

/// Returns the id of the first run with an overflow; if there is none, of the run that the summary describes. Empty if
/// there are no runs.
std::optional<std::int64_t> runWithOverflow(const ReportFile& file);

/// Returns the number of steps of a run; if `run` is empty, the largest number of steps of any run.
std::int64_t mostSteps(const ReportFile& file, std::optional<std::int64_t> run);

/// Tells whether a report has runs of several ranks.
bool isDistributed(const ReportFile& file);

/// Returns the name of the report's file without directories.
inline QString nameOf(const ReportFile& file) { return QString::fromStdString(file.path().filename().string()); }

}  // namespace ampprof::gui

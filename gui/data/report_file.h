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

/// A report that a window shows. Views are those of the command line, so that both always say the same. Thread-safe:
/// views are read on a thread of their own, one after the other.
class ReportFile {
 public:
  /// Throws ReportError with a sentence.
  explicit ReportFile(std::filesystem::path path, const queries::OpenProgress& progress = {});
  ~ReportFile();

  const std::filesystem::path& path() const { return path_; }
  const std::vector<queries::RunRow>& runs() const { return runs_; }
  /// Returns the name of one of runs().
  const std::string& label(const queries::RunRow& run) const;

  Overview overview() const;
  /// Returns what is wrong, the costliest first.
  std::vector<DiagnosedFinding> diagnosis() const;
  /// Returns the loss of each step: a curve for each of runs(); with representatives of many ranks a band, and curves
  /// of those that stand out.
  LossCurves losses(const analysis::Representatives* representatives) const;
  /// Throws UsageError for a wrong regular expression.
  views::View view(const ViewRequest& request) const;
  Overflow overflow(std::int64_t run) const;
  /// The runs that a level (or id) names, as a side of a comparison. Throws UsageError where it names none.
  ComparedSide side(const std::string& wanted) const;
  /// Returns the board of one of runs().
  std::shared_ptr<const Board> board(const queries::RunRow& run) const;

  /// Returns `read(report)` with the connection of the views, when its turn has come.
  template <class Read>
  auto readViews(Read read) const {
    const std::lock_guard lock(mutex_);
    return read(report_);
  }
  /// Likewise with the connection for op calls, which views do not wait for.
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
  /// For those who hold calls_mutex_.
  const queries::Report& calls() const;

  std::filesystem::path path_;
  mutable std::mutex mutex_;
  queries::Report report_;
  std::vector<queries::RunRow> runs_;
  std::vector<std::string> labels_;
  // Op calls of a large report take seconds to read, and views do not wait for them.
  mutable std::mutex calls_mutex_;
  mutable std::optional<queries::Report> calls_;
};

/// Reads what a call site measured step after step. `is_wanted` is asked when its turn has come: nothing is read, and
/// the answer is empty, where it is not any more.
std::vector<queries::SiteStepRow> stepsOf(const ReportFile& file, const queries::OpRow& site,
                                          const std::function<bool()>& is_wanted);

/// Returns the first call from one of some places that starts at or after a time, or else the first of all.
std::optional<queries::SpanCall> nextCall(const ReportFile& file, std::int64_t run,
                                          const std::vector<SiteInStep>& places, std::int64_t from_ns,
                                          std::int64_t most_calls);

/// Returns the board of the run that advice is about; null where there is none.
std::shared_ptr<const Board> advisedBoard(const ReportFile& file);

/// Returns the board of the first run at a level; null where there is none.
std::shared_ptr<const Board> boardAt(const ReportFile& file, const std::string& level);

/// Returns the first run with an overflow, else the one that the summary is about; empty without runs.
std::optional<std::int64_t> runWithOverflow(const ReportFile& file);

/// Returns how many steps a run has, or the longest of all runs.
std::int64_t mostSteps(const ReportFile& file, std::optional<std::int64_t> run);

/// Tells whether a report has runs of several ranks.
bool isDistributed(const ReportFile& file);

/// Returns its file's name, without folders.
inline QString nameOf(const ReportFile& file) { return QString::fromStdString(file.path().filename().string()); }

}  // namespace ampprof::gui

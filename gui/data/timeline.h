// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "gui/data/activity_names.h"
#include "reports/queries/call_site_names.h"
#include "reports/queries/calls.h"
#include "reports/queries/report.h"
#include "reports/queries/spans.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/step.h"
#include "reports/records/tracks.h"

namespace ampprof::queries {
struct SpanActivity;
}

namespace ampprof::gui {

/// A bar above the op calls of a thread; bars can be nested. Shows an NVTX range, or consecutive op calls with the same
/// segment, phase and module.
struct Scope {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  int depth = 0;     ///< level: first NVTX ranges, then the phase, then one level per part of the module path
  std::string name;  ///< label, such as "backward" or "decoder"

  bool operator==(const Scope&) const = default;
};

inline constexpr int kMostScopes = 4;  ///< maximum number of levels for phase and modules
inline constexpr int kMostRangeLevels = 6;

/// A row of a timeline: a thread with its op calls, or a stream of a GPU with kernels, memcpys and memsets.
struct TimelineTrack {
  queries::TrackKind kind = queries::TrackKind::Threads;
  /// Empty for the track that combines all threads or streams beyond the first kMostTracks.
  std::optional<TrackId> id = {};
  /// Times per class in equal parts of the run; empty for a thread that has only NVTX ranges.
  std::vector<ClassTimes> bins = {};
  int range_levels = 0;  ///< number of levels for NVTX ranges, which are above all other scopes
  int levels = 0;        ///< number of levels for all scopes, NVTX ranges included
};

/// Data that the timeline of a run needs for every visible span.
struct TimelineRun {
  std::int64_t run = 0;
  TimeSpan whole = {};                 ///< span of calls, activities and segments; empty if there are none
  std::vector<Segment> segments = {};  ///< sorted by id
  queries::CallTexts texts = {};
  ActivityNames activity_names = {};
  std::vector<TimelineTrack> tracks = {};  ///< threads, then streams
  std::int64_t calls = 0;                  ///< number of op calls in all tracks
  std::int64_t activity_count = 0;

  /// Returns the index of the track of a thread or stream. If the thread or stream has no track of its own, returns the
  /// last track of `kind`, which combines several. There must be a track of `kind`.
  std::size_t trackOf(queries::TrackKind kind, TrackId id) const;
  bool has(queries::TrackKind kind) const;
};

/// An op call or a GPU activity.
struct TimelineItem {
  SiteInStep place = {};  ///< call site; for an activity, the launching call site, or zeros if unknown
  std::int64_t segment = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::size_t track = 0;  ///< index into TimelineRun::tracks
  std::size_t kind = 0;   ///< index into ClassTimes: a PrecisionClass or an ActivityClass
  std::variant<queries::SpanCall, GpuActivity> what = {};

  const queries::SpanCall* call() const { return std::get_if<queries::SpanCall>(&what); }
  const GpuActivity* activity() const { return std::get_if<GpuActivity>(&what); }
  bool isSame(const TimelineItem& other) const { return track == other.track && start_ns == other.start_ns; }
};

TimelineItem itemOf(const queries::SpanCall& call, const TimelineRun& run);
TimelineItem itemOf(const queries::SpanActivity& activity, const TimelineRun& run);

/// Returns the first and last step that a span touches; empty if it touches none.
std::optional<queries::StepSpan> stepsIn(const TimeSpan& span, const std::vector<Segment>& segments);

/// Returns the span from the beginning to the end of a step; empty if there is no such step.
std::optional<TimeSpan> spanOf(std::int64_t step, const std::vector<Segment>& segments);

/// Returns the span from the beginning of the first recorded step to the end of the last one; empty if no step was
/// recorded.
std::optional<TimeSpan> spanOfSteps(const std::vector<Segment>& segments);

/// Tells whether an op call launched an activity.
bool launched(const TimelineItem& call, const TimelineItem& activity);

/// The part of a track within a span.
struct TrackContent {
  std::optional<std::vector<TimelineItem>> items = {};  ///< sorted by start; empty if there are too many to draw
  std::vector<ClassTimes> bins = {};                    ///< totals in equal parts of the span; used if `items` is empty
  std::vector<Scope> scopes = {};                       ///< NVTX ranges; also modules if `items` is not empty
};

/// A span of a run, ready to draw.
struct TimelinePicture {
  TimeSpan span;
  std::vector<TrackContent> tracks;  ///< same indices as TimelineRun::tracks
  bool hides_ranges = false;         ///< the span has NVTX ranges, but none was read: too many have similar lengths

  /// Tells whether all tracks have items rather than bins.
  bool isExact() const;
};

/// Returns nested scopes for the calls of one thread, sorted by level and start. Calls from unknown sites are in no
/// scope.
std::vector<Scope> scopesOf(std::span<const TimelineItem> calls, const queries::CallSites& sites);

/// Returns the number of scope levels that call sites need, at most kMostScopes.
int scopeLevelsOf(const queries::CallSites& sites);

/// Reads the data that the timeline of a run needs for every visible span.
TimelineRun readTimelineRun(const queries::Report& report, std::int64_t run);

/// Reads a span of a run. Reads op calls as items if there are at most `most`, else their totals in `bins` bins; the
/// same for activities. Reads at most `most` NVTX ranges, the longest ones.
TimelinePicture readTimelinePicture(const queries::Report& report, const TimelineRun& run, const TimeSpan& span,
                                    int bins, std::int64_t most);

/// Totals of a stream within a span.
struct StreamTotals {
  std::optional<TrackId> id = {};
  std::int64_t ns = 0;
  std::optional<std::int64_t> kernels =
      {};                  ///< kernels that touch the span; empty if there are too many activities to read
  std::int64_t bytes = 0;  ///< bytes of the memcpys and memsets that touch the span
};

/// Totals of the span that the user measures.
struct Measured {
  TimeSpan span;
  queries::SpanTotals totals;
  std::vector<StreamTotals> streams;
};

/// Returns the totals of each stream that has an activity in the span. For more than `most` activities, returns only
/// times, which are approximate at the span's ends (see TrackSummary).
std::vector<StreamTotals> streamTotals(const queries::Report& report, std::int64_t run, const TimeSpan& span,
                                       std::int64_t most);

}  // namespace ampprof::gui

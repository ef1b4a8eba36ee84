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

/// A scope above the op calls of a thread, nested: ranges that the program marked, or op calls that follow each other
/// in one segment, phase and module.
struct Scope {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  int depth = 0;     ///< of modules 0 for the phase, then a level of the module path each
  std::string name;  ///< "backward", "decoder"

  bool operator==(const Scope&) const = default;
};

inline constexpr int kMostScopes = 4;  ///< levels of modules, the phase included
inline constexpr int kMostRangeLevels = 6;

/// A row of a timeline: a thread with its op calls, or a stream of a GPU with kernels, memcpys and memsets.
struct TimelineTrack {
  queries::TrackKind kind = queries::TrackKind::Threads;
  std::optional<TrackId> id = {};     ///< empty for all beyond the first kMostTracks
  std::vector<ClassTimes> bins = {};  ///< of the whole run; empty where a thread has NVTX ranges alone
  int range_levels = 0;               ///< of NVTX ranges, above all else
  int levels = 0;                     ///< of all scopes
};

/// Holds what a timeline knows of a run, whatever span it shows.
struct TimelineRun {
  std::int64_t run = 0;
  TimeSpan whole = {};                 ///< of its calls, activities and segments; empty without any
  std::vector<Segment> segments = {};  ///< by id
  queries::CallTexts texts = {};
  ActivityNames activity_names = {};
  std::vector<TimelineTrack> tracks = {};  ///< threads, then streams
  std::int64_t calls = 0;                  ///< in all tracks
  std::int64_t activity_count = 0;

  /// The track of a thread or stream that has none is the last of its kind. There must be one.
  std::size_t trackOf(queries::TrackKind kind, TrackId id) const;
  bool has(queries::TrackKind kind) const;
};

/// An op call, or something that a GPU did.
struct TimelineItem {
  SiteInStep place = {};  ///< of an activity the one that launched it, zeros where that is not known
  std::int64_t segment = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::size_t track = 0;  ///< place in TimelineRun::tracks
  std::size_t kind = 0;   ///< place in ClassTimes: a PrecisionClass or a ActivityClass
  std::variant<queries::SpanCall, GpuActivity> what = {};

  const queries::SpanCall* call() const { return std::get_if<queries::SpanCall>(&what); }
  const GpuActivity* activity() const { return std::get_if<GpuActivity>(&what); }
  bool isSame(const TimelineItem& other) const { return track == other.track && start_ns == other.start_ns; }
};

TimelineItem itemOf(const queries::SpanCall& call, const TimelineRun& run);
TimelineItem itemOf(const queries::SpanActivity& activity, const TimelineRun& run);

/// The steps that a span touches, from the first to the last; empty where it touches none.
std::optional<queries::StepSpan> stepsIn(const TimeSpan& span, const std::vector<Segment>& segments);

/// From the beginning of a step to its end; empty where there is none.
std::optional<TimeSpan> spanOf(std::int64_t step, const std::vector<Segment>& segments);

/// Whether an op call launched a kernel, memcpy or memset.
bool launched(const TimelineItem& call, const TimelineItem& activity);

/// A track within a span.
struct TrackContent {
  std::optional<std::vector<TimelineItem>> items = {};  ///< by start; empty where they are too many
  std::vector<ClassTimes> bins = {};                    ///< equal parts of the span, in place of items
  std::vector<Scope> scopes = {};                       ///< NVTX ranges; with items modules too
};

/// A span of a run as it can be drawn.
struct TimelinePicture {
  TimeSpan span;
  std::vector<TrackContent> tracks;  ///< those of TimelineRun::tracks
  bool hides_ranges = false;         ///< there are NVTX ranges, but too many of one length to be here

  /// Nothing is summarized.
  bool isExact() const;
};

/// The calls of one thread as nested scopes, by level and start. Calls of an unknown site have no phase, so no scope.
std::vector<Scope> scopesOf(std::span<const TimelineItem> calls, const queries::CallSites& sites);

/// Levels of scopes that call sites have, at most kMostScopes.
int scopeLevelsOf(const queries::CallSites& sites);

/// Reads what a timeline of a run needs first.
TimelineRun readTimelineRun(const queries::Report& report, std::int64_t run);

/// Reads a span for a width of so many bins; calls and activities where there are at most `most` of them, and so many
/// NVTX ranges, the longest.
TimelinePicture readTimelinePicture(const queries::Report& report, const TimelineRun& run, const TimeSpan& span,
                                    int bins, std::int64_t most);

/// Totals of what a stream did within a span.
struct StreamTotals {
  std::optional<TrackId> id = {};
  std::int64_t ns = 0;
  std::optional<std::int64_t> kernels =
      {};                  ///< that touch the span; empty where there are too many activities to look at
  std::int64_t bytes = 0;  ///< of memcpys and memsets among these
};

/// Totals of a measured span.
struct Measured {
  TimeSpan span;
  queries::SpanTotals totals;
  std::vector<StreamTotals> streams;
};

/// Returns totals of the streams that did anything: for more than `most` activities only times, and these near the
/// span's ends to a part of a chunk (see TrackSummary).
std::vector<StreamTotals> streamTotals(const queries::Report& report, std::int64_t run, const TimeSpan& span,
                                       std::int64_t most);

}  // namespace ampprof::gui

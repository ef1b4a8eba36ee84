// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/dtype.h"
#include "reports/records/op_total.h"
#include "reports/records/time_span.h"
#include "reports/records/tracks.h"

/// Answers what a timeline asks of a run. Times are nanoseconds since its recorder started.
namespace ampprof::queries {

/// Kinds of tracks: op calls of a thread, by precision class; or what a GPU did in a stream, by GpuActivityKind.
enum class TrackKind { Threads, Streams };

/// A thread or a stream of a summary.
struct TrackRow {
  std::optional<TrackId> track;  ///< empty for all beyond the first kMostTracks
  std::vector<ClassTimes> bins;  ///< in each part of the span
};

inline constexpr std::size_t kMostTracks = 64;

inline constexpr int kMostTrackBins = 8192;

/// How long op calls, or GPU activities, took in equal parts of a span. Where a part is shorter than those of a chunk
/// (see Track), the time within one of these is taken to be even.
struct TrackSummary {
  TimeSpan span;
  std::int64_t calls = 0;        ///< or activities, in the chunks that overlap the span
  std::vector<TrackRow> tracks;  ///< by thread or stream, those without one behind
};

/// An op call with the ids of what CallTexts has the words for.
struct SpanCall {
  SiteInStep place;
  std::int64_t signature = 0;
  std::int64_t segment = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t cast_bytes = 0;
  std::int32_t thread = 0;
  DType dtype_in = DType::Unknown;
  DType dtype_out = DType::Unknown;
  PrecisionClass kind = PrecisionClass::Other;
};

/// Totals of the op calls of a span.
struct SpanTotals {
  std::int64_t calls = 0;       ///< that touch it
  std::int64_t cast_bytes = 0;  ///< of these
  ClassTimes times{};           ///< within it
  /// Nanoseconds of each call site within it; empty where there are too many calls to look at each.
  std::map<SiteInStep, std::int64_t> sites;
};

/// Returns the span from the first op call's start to the last one's end; empty without calls.
std::optional<TimeSpan> span_of_calls(const Report& report, std::int64_t run);

/// Returns a summary in so many bins, from 1 to kMostTrackBins; decodes no call.
TrackSummary track_summary(const Report& report, std::int64_t run, const TimeSpan& span, int bins,
                           TrackKind kind = TrackKind::Threads);

/// Returns the op calls that touch a span, by thread and start. Empty where the chunks that it decodes hold more than
/// `most_calls`: then a track_summary() is what can be shown.
std::optional<std::vector<SpanCall>> span_calls(const Report& report, std::int64_t run, const TimeSpan& span,
                                                std::int64_t most_calls);

/// Returns what the op calls of a span come to, exact for any span. Call sites are told apart in up to `most_calls`.
SpanTotals span_totals(const Report& report, std::int64_t run, const TimeSpan& span, std::int64_t most_calls);

/// Returns the first call from a place that starts at or after a time. Looks at about `most_calls`.
std::optional<SpanCall> next_call(const Report& report, std::int64_t run, const SiteInStep& place, std::int64_t from_ns,
                                  std::int64_t most_calls);

}  // namespace ampprof::queries

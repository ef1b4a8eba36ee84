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

/// Queries of a timeline. Times are nanoseconds since the run's recorder started.
namespace ampprof::queries {

/// Kinds of tracks: op calls of a thread, by precision class; or GPU activities of a stream, by GpuActivityKind.
enum class TrackKind { Threads, Streams };

/// A thread or a stream in a summary.
struct TrackRow {
  std::optional<TrackId> track;  ///< empty in the row that sums the tracks beyond the first kMostTracks
  std::vector<ClassTimes> bins;  ///< for each bin of the span
};

inline constexpr std::size_t kMostTracks = 64;

inline constexpr int kMostTrackBins = 8192;

/// Time of op calls or GPU activities in equal bins of a span. If a bin is shorter than the parts of a chunk (see
/// Track), the time within a part counts as evenly spread.
struct TrackSummary {
  TimeSpan span;
  std::int64_t calls = 0;        ///< calls or activities in the chunks that overlap the span
  std::vector<TrackRow> tracks;  ///< by thread or stream; the row without a track is last
};

/// An op call with ids that CallTexts resolves.
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
  std::int64_t calls = 0;       ///< calls that touch the span
  std::int64_t cast_bytes = 0;  ///< bytes written by casts in these calls
  ClassTimes times{};           ///< time of these calls within the span
  /// Nanoseconds of each call site in the span; empty if there are too many calls to inspect.
  std::map<SiteInStep, std::int64_t> sites;
};

/// Returns the span from the start of the first op call to the end of the last; empty without calls.
std::optional<TimeSpan> span_of_calls(const Report& report, std::int64_t run);

/// Returns a summary with this many bins, from 1 to kMostTrackBins. Decodes no call.
TrackSummary track_summary(const Report& report, std::int64_t run, const TimeSpan& span, int bins,
                           TrackKind kind = TrackKind::Threads);

/// Returns the op calls that touch a span, by thread and start. Empty if the chunks to decode hold more than
/// `most_calls`; then show a track_summary().
std::optional<std::vector<SpanCall>> span_calls(const Report& report, std::int64_t run, const TimeSpan& span,
                                                std::int64_t most_calls);

/// Sums up the op calls of a span, exactly for any span. Splits by call site only up to `most_calls`.
SpanTotals span_totals(const Report& report, std::int64_t run, const TimeSpan& span, std::int64_t most_calls);

/// Returns the first call from a place that starts at or after `from_ns`. Searches only about `most_calls` calls from
/// that time on. Empty if there is none among these.
std::optional<SpanCall> next_call(const Report& report, std::int64_t run, const SiteInStep& place, std::int64_t from_ns,
                                  std::int64_t most_calls);

}  // namespace ampprof::queries

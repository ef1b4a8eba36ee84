// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/queries/call_site_names.h"
#include "reports/records/time_span.h"
#include "reports/records/tracks.h"

/// What a timeline asks of a run. Times are nanoseconds since its recorder started.
namespace ampprof {

/// What tracks are of: op calls of a thread, by precision class; or what a GPU did in a stream, by GpuActivityKind.
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

/// What a GPU did, and the place that launched it; the place is zeros where none is known.
struct SpanActivity {
  GpuActivity activity;
  SiteInStep place;
};

struct SpanRange {
  NvtxRange range;
  std::string text;
};

struct SpanRanges {
  std::vector<SpanRange> ranges;     ///< by thread and start
  std::int64_t shorter_than_ns = 0;  ///< these are left out, since there are too many; 0 where none is
};

/// What the op calls of a span come to.
struct SpanTotals {
  std::int64_t calls = 0;       ///< that touch it
  std::int64_t cast_bytes = 0;  ///< of these
  ClassTimes times{};           ///< within it
  /// Nanoseconds of each call site within it; empty where there are too many calls to look at each.
  std::map<SiteInStep, std::int64_t> sites;
};

/// The words for the ids of one run's calls.
struct CallTexts {
  CallSites sites;
  std::unordered_map<std::int64_t, std::string> signatures;
  std::map<SiteInStep, std::string> names;              ///< of call sites, as in OpRow
  std::unordered_map<std::int64_t, std::string> activity_names;  ///< names of kernels, memcpys and memsets
};

}  // namespace ampprof

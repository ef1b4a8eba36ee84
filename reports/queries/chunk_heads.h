// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/queries/spans.h"
#include "reports/records/activity_codec.h"
#include "reports/records/call_codec.h"
#include "reports/store/sqlite.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

/// A chunk with calls or activities that overlap a span.
struct ChunkHead {
  std::int64_t id;
  std::int64_t segment;
  std::int64_t count;
  TimeSpan span;
};

constexpr bool is_inside(const TimeSpan& part, const TimeSpan& span) {
  return part.from_ns >= span.from_ns && part.to_ns <= span.to_ns;
}
constexpr bool overlap(const TimeSpan& a, const TimeSpan& b) { return a.from_ns <= b.to_ns && b.from_ns <= a.to_ns; }

/// Calls `show(head, row)` for each chunk that overlaps a span. The next column of `row` holds the bytes of its tracks.
/// Throws ReportError if the run lacks a chunk. Reads only the index call_chunk_heads.
template <class Show>
void each_head(const Report& report, std::int64_t run, const TimeSpan& span, TrackKind kind, Show show) {
  store::Statement rows(
      report,
      kind == TrackKind::Threads
          ? "SELECT id, segment, count, start_ns IS NULL, start_ns, end_ns, tracks "
            "FROM call_chunk WHERE run = ? ORDER BY id"
          : "SELECT id, segment, activity_count, activity_start_ns IS NULL, activity_start_ns, activity_end_ns, "
            "activity_tracks FROM call_chunk WHERE run = ? ORDER BY id");
  rows.put(run);
  std::int64_t last = 0;
  while (rows.next()) {
    ChunkHead head{.id = rows.integer(), .segment = rows.integer(), .count = rows.integer(), .span = {}};
    if (head.id != ++last) store::chunks_are_damaged();
    if (rows.flag()) continue;  // the chunk has no record of this kind
    head.span = {rows.integer(), rows.integer()};
    if (head.count < 0 || head.span.to_ns < head.span.from_ns) store::chunks_are_damaged();
    if (overlap(head.span, span)) show(head, rows);
  }
  if (last < store::rolled_up_to(report, run)) store::chunks_are_damaged();
}

/// Returns the chunks that overlap a span; empty if they hold more than `most` records in total.
std::optional<std::vector<ChunkHead>> few_heads(const Report& report, std::int64_t run, const TimeSpan& span,
                                                TrackKind kind, std::int64_t most);

/// Decodes `column` of each chunk with `kDecode`.
template <auto kDecode>
class ChunkReader {
 public:
  ChunkReader(const Report& report, std::int64_t run, std::string_view column)
      : row_(report, "SELECT codec, " + std::string(column) +
                         ", (SELECT position FROM segment s WHERE s.run = p.run AND s.id = p.segment) "
                         "FROM call_chunk p WHERE run = ? AND id = ?"),
        run_(run) {}

  /// Calls `show` with each record and its SiteInStep.
  template <class Show>
  void each(const ChunkHead& head, Show show) {
    row_.put(run_).put(head.id);
    if (!row_.next()) store::chunks_are_damaged();
    const ChunkCodec codec = row_.integer();
    const auto records = kDecode(row_.blob(), head.segment, codec);
    const auto position = static_cast<std::int32_t>(row_.integer());
    row_.next();
    if (!records || std::ssize(*records) != head.count) store::chunks_are_damaged();
    for (const auto& record : *records) show(record, SiteInStep{record.call_site, position});
  }

 private:
  store::Statement row_;
  std::int64_t run_;
};

struct CallReader : ChunkReader<decode_calls> {
  static constexpr TrackKind kTracks = TrackKind::Threads;
  CallReader(const Report& report, std::int64_t run) : ChunkReader(report, run, "calls") {}
};

struct ActivityReader : ChunkReader<decode_activities> {
  static constexpr TrackKind kTracks = TrackKind::Streams;
  ActivityReader(const Report& report, std::int64_t run) : ChunkReader(report, run, "activities") {}
};

/// Calls `show` with each record that overlaps a span, and its SiteInStep. If the chunks to decode hold more than
/// `most` records, shows none and returns false.
template <class Reader, class Show>
bool each_in_span(const Report& report, std::int64_t run, const TimeSpan& span, std::int64_t most, Show show) {
  const auto heads = few_heads(report, run, span, Reader::kTracks, most);
  if (!heads) return false;
  Reader chunks(report, run);
  for (const ChunkHead& head : *heads) {
    chunks.each(head, [&](const auto& record, const SiteInStep& place) {
      if (overlap(span_of(record), span)) show(record, place);
    });
  }
  return true;
}

}  // namespace ampprof::queries

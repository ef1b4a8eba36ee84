// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/spans.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "reports/queries/chunk_heads.h"
#include "reports/queries/lookups.h"
#include "reports/records/saturating_add.h"

namespace ampprof::queries {

namespace {

void each_track_of(store::Statement& row, const std::function<void(const Track&)>& show) {
  if (!each_track(row.blob(), show)) store::chunks_are_damaged();
}

/// Adds the times of a part of a chunk to the bins of a summary, in proportion to the overlap.
class Spread {
 public:
  Spread(const TimeSpan& span, int bins)
      : from_(static_cast<double>(span.from_ns)),
        bin_ns_(static_cast<double>(static_cast<std::uint64_t>(span.to_ns) - static_cast<std::uint64_t>(span.from_ns)) /
                bins),
        bins_(bins) {}

  void add(std::vector<ClassTimes>& to, double from_ns, double length_ns, const ClassTimes& times) const {
    const double first = (from_ns - from_) / bin_ns_;
    double last = first + length_ns / bin_ns_;
    if (std::abs(last - bins_) < kRounding) last = bins_;
    const int begin = static_cast<int>(std::clamp<double>(std::floor(first), 0, bins_));
    const int end = static_cast<int>(std::clamp<double>(std::ceil(last), 0, bins_));
    ClassTimes given = part_of(times, (begin - first) / (last - first));
    for (int bin = begin; bin < end; ++bin) {
      const ClassTimes up_to_here = part_of(times, (bin + 1 - first) / (last - first));
      auto now = up_to_here.begin();
      auto before = given.begin();
      for (std::int64_t& ns : to[static_cast<std::size_t>(bin)]) saturating_add(ns, *now++ - *before++);
      given = up_to_here;
    }
  }

 private:
  static constexpr double kRounding = 1e-6;  ///< in bins; avoids losing a nanosecond at the end of the span

  /// Returns a share of times. Exact for the shares 0 and 1, so that all parts add up to the whole.
  static ClassTimes part_of(const ClassTimes& times, double share) {
    if (!(share > 0.0)) return {};
    if (share >= 1.0) return times;
    ClassTimes part{};
    std::ranges::transform(times, part.begin(), [&](std::int64_t ns) {
      return std::min(ns, static_cast<std::int64_t>(static_cast<double>(ns) * share));
    });
    return part;
  }

  double from_;
  double bin_ns_;
  int bins_;
};

/// The tracks of a summary by id.
class Tracks {
 public:
  explicit Tracks(int bins) : empty_(static_cast<std::size_t>(bins)) {}

  std::vector<ClassTimes>& of(TrackId id) {
    const auto known = by_id_.find(id);
    if (known != by_id_.end()) return known->second;
    if (by_id_.size() < kMostTracks) return by_id_.emplace(id, empty_).first->second;
    if (others_.empty()) others_ = empty_;
    return others_;
  }

  std::vector<TrackRow> rows() && {
    std::vector<TrackRow> rows;
    for (auto& [id, bins] : by_id_) rows.push_back({id, std::move(bins)});
    if (!others_.empty()) rows.push_back({std::nullopt, std::move(others_)});
    return rows;
  }

 private:
  std::vector<ClassTimes> empty_;
  std::map<TrackId, std::vector<ClassTimes>> by_id_;
  std::vector<ClassTimes> others_;
};

SpanCall span_call(const OpCall& call, const SiteInStep& place) {
  return {.place = place,
          .signature = call.signature,
          .segment = call.segment,
          .start_ns = call.start_ns,
          .end_ns = span_of(call).to_ns,
          .cast_bytes = call.cast_bytes,
          .thread = call.thread,
          .dtype_in = call.dtype_in,
          .dtype_out = call.dtype_out,
          .kind = precision_class_of(call)};
}

void add_tracks(SpanTotals& totals, store::Statement& row) {
  each_track_of(row, [&](const Track& track) {
    saturating_add(totals.calls, track.calls);
    saturating_add(totals.cast_bytes, track.bytes);
    for (const ClassTimes& bin : track.bins) add_times(totals.times, bin);
  });
}

/// Adds the part of a call within the span.
void add_call(SpanTotals& totals, const TimeSpan& span, const OpCall& call, const SiteInStep* site) {
  const TimeSpan its = span_of(call);
  if (!overlap(its, span)) return;
  const TimeSpan both{std::max(its.from_ns, span.from_ns), std::min(its.to_ns, span.to_ns)};
  const std::int64_t ns = both.duration_ns();
  ++totals.calls;
  saturating_add(totals.cast_bytes, call.cast_bytes);
  saturating_add(totals.times[static_cast<std::size_t>(precision_class_of(call))], ns);
  if (site != nullptr) saturating_add(totals.sites[*site], ns);
}

}  // namespace

std::optional<TimeSpan> span_of_calls(const Report& report, std::int64_t run) {
  store::Statement row(report, "SELECT min(start_ns) IS NULL, min(start_ns), max(end_ns) FROM call_chunk WHERE run = ?",
                       run);
  if (!row.next() || row.flag()) return std::nullopt;
  const std::int64_t from = row.integer();
  return TimeSpan{from, std::max(from, row.integer())};
}

TrackSummary track_summary(const Report& report, std::int64_t run, const TimeSpan& span, int bins, TrackKind kind) {
  const store::Snapshot snapshot(report);
  bins = std::clamp(bins, 1, kMostTrackBins);
  TrackSummary summary{.span = span, .calls = 0, .tracks = {}};
  if (span.to_ns <= span.from_ns) return summary;
  const Spread spread(span, bins);
  Tracks tracks(bins);
  each_head(report, run, span, kind, [&](const ChunkHead& head, store::Statement& row) {
    saturating_add(summary.calls, head.count);
    const auto length = static_cast<double>(track_bin_ns(head.span.from_ns, head.span.to_ns));
    each_track_of(row, [&](const Track& track) {
      std::vector<ClassTimes>& to = tracks.of(track.id);
      double from = static_cast<double>(head.span.from_ns);
      for (const ClassTimes& times : track.bins) {
        const double rest = static_cast<double>(head.span.to_ns) - from;  // the last part ends after the chunk
        if (times != ClassTimes{} && rest > 0) spread.add(to, from, std::min(length, rest), times);
        from += length;
      }
    });
  });
  summary.tracks = std::move(tracks).rows();
  return summary;
}

std::optional<std::vector<SpanCall>> span_calls(const Report& report, std::int64_t run, const TimeSpan& span,
                                                std::int64_t most_calls) {
  const store::Snapshot snapshot(report);
  std::vector<SpanCall> calls;
  const auto add = [&](const OpCall& call, const SiteInStep& place) { calls.push_back(span_call(call, place)); };
  if (!each_in_span<CallReader>(report, run, span, most_calls, add)) return std::nullopt;
  std::ranges::stable_sort(calls, {}, [](const SpanCall& call) { return std::pair(call.thread, call.start_ns); });
  return calls;
}

SpanTotals span_totals(const Report& report, std::int64_t run, const TimeSpan& span, std::int64_t most_calls) {
  const store::Snapshot snapshot(report);
  SpanTotals totals;
  std::vector<ChunkHead> partial;
  std::vector<ChunkHead> whole;
  std::int64_t count = 0;
  each_head(report, run, span, TrackKind::Threads, [&](const ChunkHead& head, store::Statement& row) {
    saturating_add(count, head.count);
    if (!is_inside(head.span, span)) {
      partial.push_back(head);
    } else {
      add_tracks(totals, row);
      if (count <= most_calls) whole.push_back(head);
    }
  });
  const bool names_sites = count <= most_calls;
  CallReader chunks(report, run);
  for (const ChunkHead& head : partial) {
    chunks.each(head, [&](const OpCall& call, const SiteInStep& place) {
      add_call(totals, span, call, names_sites ? &place : nullptr);
    });
  }
  if (!names_sites) return totals;
  SpanTotals again;  // only `sites` is used
  for (const ChunkHead& head : whole) {
    chunks.each(head, [&](const OpCall& call, const SiteInStep& place) { add_call(again, span, call, &place); });
  }
  for (const auto& [site, ns] : again.sites) saturating_add(totals.sites[site], ns);
  return totals;
}

std::optional<SpanCall> next_call(const Report& report, std::int64_t run, const SiteInStep& place, std::int64_t from_ns,
                                  std::int64_t most_calls) {
  const store::Snapshot snapshot(report);
  std::vector<ChunkHead> heads;
  std::int64_t count = 0;
  each_head(report, run, {from_ns, std::numeric_limits<std::int64_t>::max()}, TrackKind::Threads,
            [&](const ChunkHead& head, store::Statement&) {
              if (count <= most_calls) heads.push_back(head);
              saturating_add(count, head.count);
            });
  std::optional<SpanCall> next;
  CallReader chunks(report, run);
  for (const ChunkHead& head : heads) {
    if (next && next->start_ns < head.span.from_ns) break;
    chunks.each(head, [&](const OpCall& call, const SiteInStep& its_place) {
      const bool is_next = its_place == place && call.start_ns >= from_ns && (!next || call.start_ns < next->start_ns);
      if (is_next) next = span_call(call, its_place);
    });
  }
  return next;
}

}  // namespace ampprof::queries

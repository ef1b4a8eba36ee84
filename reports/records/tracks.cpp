// SPDX-License-Identifier: Apache-2.0
#include "reports/records/tracks.h"

#include <algorithm>

#include "reports/records/bytes.h"
#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

/// Adds a call's time to the parts that it overlaps. `from` and `to` count from the chunk's start.
void add_time(std::array<ClassTimes, kTrackBins>& bins, std::uint64_t bin_ns, std::uint64_t from, std::uint64_t to,
              std::size_t kind) {
  for (std::size_t bin = from / bin_ns; from < to; ++bin) {
    const std::uint64_t next = std::min(to, (bin + 1) * bin_ns);
    saturating_add(bins[bin][kind], static_cast<std::int64_t>(next - from));
    from = next;
  }
}

void put(std::string& to, const Track& track) {
  bytes::put_number(to, static_cast<std::uint64_t>(track.id));
  bytes::put_number(to, static_cast<std::uint64_t>(track.calls));
  bytes::put_number(to, static_cast<std::uint64_t>(track.bytes));
  for (const ClassTimes& bin : track.bins) {
    unsigned present = 0;
    for (unsigned bit = 1; const std::int64_t ns : bin) {
      if (ns != 0) present |= bit;
      bit <<= 1;
    }
    to.push_back(static_cast<char>(present));
    for (const std::int64_t ns : bin) {
      if (ns != 0) bytes::put_number(to, static_cast<std::uint64_t>(ns));
    }
  }
}

Track take_track(bytes::ByteReader& from) {
  Track track;
  track.id = static_cast<TrackId>(from.number());
  track.calls = from.count();
  track.bytes = from.count();
  for (ClassTimes& bin : track.bins) {
    unsigned present = from.byte();
    for (std::int64_t& ns : bin) {
      if ((present & 1) != 0) ns = from.count();
      present >>= 1;
    }
  }
  return track;
}

bool is_floating(DType dtype) { return dtype == DType::Float || dtype == DType::Double || dtype == DType::Complex; }

}  // namespace

PrecisionClass precision_class_of(const OpCall& call) {
  if (call.ranges && call.ranges->nonfinite > 0 && !call.nonfinite_expected) return PrecisionClass::NonFinite;
  if (call.cast_bytes > 0) return PrecisionClass::Cast;
  if (is_reduced_precision(call.dtype_in) || is_reduced_precision(call.dtype_out)) return PrecisionClass::Reduced;
  return is_floating(call.dtype_in) || is_floating(call.dtype_out) ? PrecisionClass::Full : PrecisionClass::Other;
}

void add_times(ClassTimes& to, const ClassTimes& times) {
  auto time = times.begin();
  for (std::int64_t& total : to) saturating_add(total, *time++);
}

Track& TrackEncoder::track_of(TrackId id) {
  if (last_track_ < tracks_.size() && tracks_[last_track_].id == id) return tracks_[last_track_];
  const auto found = std::ranges::find(tracks_, id, &Track::id);
  last_track_ = static_cast<std::size_t>(found - tracks_.begin());
  if (found == tracks_.end()) tracks_.emplace_back().id = id;
  return tracks_[last_track_];
}

void TrackEncoder::add(TrackId id, const TimeSpan& span, std::int64_t bytes, std::size_t kind) {
  start_ns_ = calls_.empty() ? span.from_ns : std::min(start_ns_, span.from_ns);
  end_ns_ = calls_.empty() ? span.to_ns : std::max(end_ns_, span.to_ns);
  Track& track = track_of(id);
  ++track.calls;
  saturating_add(track.bytes, std::max<std::int64_t>(bytes, 0));
  calls_.push_back({span, last_track_, kind});
}

void TrackEncoder::add(const OpCall& call) {
  add(call.thread, span_of(call), call.cast_bytes, static_cast<std::size_t>(precision_class_of(call)));
}

void TrackEncoder::add(const GpuActivity& activity) {
  const auto kind = static_cast<std::size_t>(activity.kind);
  add(stream_track(activity.device, activity.stream), span_of(activity), activity.bytes, kind);
}

std::string TrackEncoder::bytes() const {
  std::vector<Track> tracks = tracks_;
  const std::uint64_t bin_ns = track_bin_ns(start_ns_, end_ns_);
  const auto since_start = [&](std::int64_t ns) {
    return static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(start_ns_);
  };
  for (const Call& call : calls_) {
    add_time(tracks[call.track].bins, bin_ns, since_start(call.span.from_ns), since_start(call.span.to_ns), call.kind);
  }
  std::ranges::sort(tracks, {}, &Track::id);
  std::string encoded;
  for (const Track& track : tracks) put(encoded, track);
  return encoded;
}

bool each_track(std::string_view bytes, const std::function<void(const Track&)>& show) {
  bytes::ByteReader from(bytes);
  while (!from.at_end()) {
    const Track track = take_track(from);
    if (from.failed()) return false;
    show(track);
  }
  return true;
}

}  // namespace ampprof

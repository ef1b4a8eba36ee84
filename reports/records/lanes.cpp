// SPDX-License-Identifier: Apache-2.0
#include "reports/records/lanes.h"

#include <algorithm>

#include "reports/records/bytes.h"
#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

/// Adds a call's time to the parts that it is in; `from` and `to` count from the pack's start.
void add_time(std::array<ClassTimes, kLaneBins>& bins, std::uint64_t bin_ns, std::uint64_t from, std::uint64_t to,
              std::size_t kind) {
  for (std::size_t bin = from / bin_ns; from < to; ++bin) {
    const std::uint64_t next = std::min(to, (bin + 1) * bin_ns);
    saturating_add(bins[bin][kind], static_cast<std::int64_t>(next - from));
    from = next;
  }
}

void put(std::string& to, const Lane& lane) {
  bytes::put_number(to, static_cast<std::uint64_t>(lane.id));
  bytes::put_number(to, static_cast<std::uint64_t>(lane.calls));
  bytes::put_number(to, static_cast<std::uint64_t>(lane.bytes));
  for (const ClassTimes& bin : lane.bins) {
    unsigned present = 0;
    for (std::size_t kind = 0; kind < kPrecisionClasses; ++kind) present |= bin[kind] != 0 ? 1u << kind : 0u;
    to.push_back(static_cast<char>(present));
    for (const std::int64_t ns : bin) {
      if (ns != 0) bytes::put_number(to, static_cast<std::uint64_t>(ns));
    }
  }
}

Lane take_lane(bytes::Taker& from) {
  Lane lane;
  lane.id = static_cast<LaneId>(from.number());
  lane.calls = from.count();
  lane.bytes = from.count();
  for (ClassTimes& bin : lane.bins) {
    const std::uint8_t present = from.byte();
    for (std::size_t kind = 0; kind < kPrecisionClasses; ++kind) {
      if ((present >> kind & 1) != 0) bin[kind] = from.count();
    }
  }
  return lane;
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
  for (std::size_t kind = 0; kind < kPrecisionClasses; ++kind) saturating_add(to[kind], times[kind]);
}

Lane& LanePacker::lane_of(LaneId id) {
  if (last_lane_ < lanes_.size() && lanes_[last_lane_].id == id) return lanes_[last_lane_];
  const auto found = std::ranges::find(lanes_, id, &Lane::id);
  last_lane_ = static_cast<std::size_t>(found - lanes_.begin());
  if (found == lanes_.end()) lanes_.emplace_back().id = id;
  return lanes_[last_lane_];
}

void LanePacker::add(LaneId id, const TimeSpan& span, std::int64_t bytes, std::size_t kind) {
  start_ns_ = calls_.empty() ? span.from_ns : std::min(start_ns_, span.from_ns);
  end_ns_ = calls_.empty() ? span.to_ns : std::max(end_ns_, span.to_ns);
  Lane& lane = lane_of(id);
  ++lane.calls;
  saturating_add(lane.bytes, std::max<std::int64_t>(bytes, 0));
  calls_.push_back({span, last_lane_, kind});
}

void LanePacker::add(const OpCall& call) {
  add(call.thread, span_of(call), call.cast_bytes, static_cast<std::size_t>(precision_class_of(call)));
}

void LanePacker::add(const GpuActivity& activity) {
  const auto kind = static_cast<std::size_t>(activity.kind);
  add(stream_lane(activity.device, activity.stream), span_of(activity), activity.bytes, kind);
}

std::string LanePacker::bytes() const {
  std::vector<Lane> lanes = lanes_;
  const std::uint64_t bin_ns = lane_bin_ns(start_ns_, end_ns_);
  const auto since_start = [&](std::int64_t ns) {
    return static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(start_ns_);
  };
  for (const Call& call : calls_) {
    add_time(lanes[call.lane].bins, bin_ns, since_start(call.span.from_ns), since_start(call.span.to_ns), call.kind);
  }
  std::ranges::sort(lanes, {}, &Lane::id);
  std::string packed;
  for (const Lane& lane : lanes) put(packed, lane);
  return packed;
}

bool each_lane(std::string_view bytes, const std::function<void(const Lane&)>& show) {
  bytes::Taker from(bytes);
  while (!from.at_end()) {
    const Lane lane = take_lane(from);
    if (from.failed()) return false;
    show(lane);
  }
  return true;
}

}  // namespace ampprof

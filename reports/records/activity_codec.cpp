// SPDX-License-Identifier: Apache-2.0
#include "reports/records/activity_codec.h"

#include <algorithm>

#include "reports/records/bytes.h"

namespace ampprof {
namespace {

constexpr std::uint8_t kKindBits = 3;
constexpr std::uint8_t kOriginOfLast = 4;
constexpr std::uint8_t kKnownLaunch = 8;
constexpr std::uint8_t kAllFlags = kKindBits | kOriginOfLast | kKnownLaunch;

bool is_like(const GpuActivity& activity, const GpuActivity& last) {
  return activity.device == last.device && activity.stream == last.stream && activity.thread == last.thread &&
         activity.graph == last.graph;
}

/// Decodes the next activity. `last` is the previous one. Empty for flags that no ActivityEncoder can have written.
std::optional<GpuActivity> take_activity(bytes::ByteReader& from, const GpuActivity& last) {
  const std::uint8_t flags = from.byte();
  if ((flags & ~kAllFlags) != 0 || (flags & kKindBits) > static_cast<int>(GpuActivityKind::Memset)) return std::nullopt;
  GpuActivity activity;
  activity.kind = static_cast<GpuActivityKind>(flags & kKindBits);
  activity.call_site = bytes::sum(last.call_site, from.signed_number());
  activity.name = static_cast<std::int32_t>(bytes::sum(last.name, from.signed_number()));
  activity.start_ns = bytes::sum(bytes::sum(last.start_ns, last.duration_ns), from.signed_number());
  activity.duration_ns = from.count();
  if ((flags & kKnownLaunch) != 0) activity.launched_ns = bytes::difference(activity.start_ns, from.signed_number());
  if (activity.kind != GpuActivityKind::Kernel) activity.bytes = from.count();
  const bool like_last = (flags & kOriginOfLast) != 0;
  activity.device = like_last ? last.device : static_cast<std::int32_t>(from.number());
  activity.stream = like_last ? last.stream : static_cast<std::int32_t>(from.number());
  activity.thread = like_last ? last.thread : static_cast<std::int32_t>(from.number());
  activity.graph = like_last ? last.graph : static_cast<std::int32_t>(from.number());
  return activity;
}

}  // namespace

void ActivityEncoder::add(const GpuActivity& activity) {
  const bool like_last = is_like(activity, last_);
  const bool has_launch = activity.launched_ns != 0;
  bytes_.push_back(static_cast<char>(static_cast<std::uint8_t>(activity.kind) | (like_last ? kOriginOfLast : 0) |
                                     (has_launch ? kKnownLaunch : 0)));
  bytes::put_signed(bytes_, bytes::difference(activity.call_site, last_.call_site));
  bytes::put_signed(bytes_, bytes::difference(activity.name, last_.name));
  bytes::put_signed(bytes_, bytes::difference(activity.start_ns, bytes::sum(last_.start_ns, last_.duration_ns)));
  bytes::put_count(bytes_, activity.duration_ns);
  if (has_launch) bytes::put_signed(bytes_, bytes::difference(activity.start_ns, activity.launched_ns));
  if (activity.kind != GpuActivityKind::Kernel) bytes::put_count(bytes_, activity.bytes);
  if (!like_last) {
    for (const std::int32_t id : {activity.device, activity.stream, activity.thread, activity.graph}) {
      bytes::put_number(bytes_, static_cast<std::uint32_t>(id));
    }
  }
  last_ = activity;
  last_.duration_ns = std::max<std::int64_t>(activity.duration_ns, 0);
  ++activities_;
}

std::optional<std::vector<GpuActivity>> decode_activities(std::string_view bytes, std::int64_t segment,
                                                          ChunkCodec codec) {
  if (!is_known(codec)) return std::nullopt;
  bytes::ByteReader from(bytes);
  std::vector<GpuActivity> activities;
  GpuActivity last;
  while (!from.at_end()) {
    const auto activity = take_activity(from, last);
    if (!activity || from.failed()) return std::nullopt;
    last = *activity;
    last.segment = segment;
    activities.push_back(last);
  }
  return activities;
}

}  // namespace ampprof

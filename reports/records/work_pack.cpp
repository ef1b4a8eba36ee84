// SPDX-License-Identifier: Apache-2.0
#include "reports/records/work_pack.h"

#include <algorithm>

#include "reports/records/bytes.h"

namespace ampprof {
namespace {

constexpr std::uint8_t kKindBits = 3;
constexpr std::uint8_t kLikeLast = 4;
constexpr std::uint8_t kKnownLaunch = 8;
constexpr std::uint8_t kAllFlags = kKindBits | kLikeLast | kKnownLaunch;

bool is_like(const DeviceWork& work, const DeviceWork& last) {
  return work.device == last.device && work.stream == last.stream && work.thread == last.thread &&
         work.graph == last.graph;
}

/// Empty for flags that a WorkPacker cannot have written.
std::optional<DeviceWork> take_work(bytes::Taker& from, const DeviceWork& last) {
  const std::uint8_t flags = from.byte();
  if ((flags & ~kAllFlags) != 0 || (flags & kKindBits) > static_cast<int>(DeviceWorkKind::Fill)) return std::nullopt;
  DeviceWork work;
  work.kind = static_cast<DeviceWorkKind>(flags & kKindBits);
  work.call_site = bytes::sum(last.call_site, from.signed_number());
  work.name = static_cast<std::int32_t>(bytes::sum(last.name, from.signed_number()));
  work.start_ns = bytes::sum(bytes::sum(last.start_ns, last.duration_ns), from.signed_number());
  work.duration_ns = from.count();
  if ((flags & kKnownLaunch) != 0) work.launched_ns = bytes::difference(work.start_ns, from.signed_number());
  if (work.kind != DeviceWorkKind::Kernel) work.bytes = from.count();
  const bool like_last = (flags & kLikeLast) != 0;
  work.device = like_last ? last.device : static_cast<std::int32_t>(from.number());
  work.stream = like_last ? last.stream : static_cast<std::int32_t>(from.number());
  work.thread = like_last ? last.thread : static_cast<std::int32_t>(from.number());
  work.graph = like_last ? last.graph : static_cast<std::int32_t>(from.number());
  return work;
}

}  // namespace

std::string_view name_of(DeviceWorkKind kind) {
  switch (kind) {
    case DeviceWorkKind::Kernel:
      return "kernel";
    case DeviceWorkKind::Copy:
      return "copy";
    case DeviceWorkKind::Fill:
      return "fill";
  }
  return "kernel";
}

DeviceWorkKind work_kind_from_number(std::int64_t number) {
  return number == 1 || number == 2 ? static_cast<DeviceWorkKind>(number) : DeviceWorkKind::Kernel;
}

void WorkPacker::add(const DeviceWork& work) {
  const bool like_last = is_like(work, last_);
  const bool has_launch = work.launched_ns != 0;
  bytes_.push_back(static_cast<char>(static_cast<std::uint8_t>(work.kind) | (like_last ? kLikeLast : 0) |
                                     (has_launch ? kKnownLaunch : 0)));
  bytes::put_signed(bytes_, bytes::difference(work.call_site, last_.call_site));
  bytes::put_signed(bytes_, bytes::difference(work.name, last_.name));
  bytes::put_signed(bytes_, bytes::difference(work.start_ns, bytes::sum(last_.start_ns, last_.duration_ns)));
  bytes::put_count(bytes_, work.duration_ns);
  if (has_launch) bytes::put_signed(bytes_, bytes::difference(work.start_ns, work.launched_ns));
  if (work.kind != DeviceWorkKind::Kernel) bytes::put_count(bytes_, work.bytes);
  if (!like_last) {
    for (const std::int32_t id : {work.device, work.stream, work.thread, work.graph}) {
      bytes::put_number(bytes_, static_cast<std::uint32_t>(id));
    }
  }
  last_ = work;
  last_.duration_ns = std::max<std::int64_t>(work.duration_ns, 0);
  ++works_;
}

std::optional<std::vector<DeviceWork>> unpack_works(std::string_view bytes, std::int64_t segment) {
  bytes::Taker from(bytes);
  std::vector<DeviceWork> works;
  DeviceWork last;
  while (!from.at_end()) {
    const auto work = take_work(from, last);
    if (!work || from.failed()) return std::nullopt;
    last = *work;
    last.segment = segment;
    works.push_back(last);
  }
  return works;
}

}  // namespace ampprof

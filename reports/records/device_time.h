// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "reports/records/device_work.h"
#include "reports/records/time_span.h"

/// How the time of a device was used. Times are nanoseconds, on the recorder's clock. Spans are up to, not including,
/// their end. Sums that do not fit stay at the largest number.
namespace ampprof {

TimeSpan span_of(const DeviceWork& work);

/// When the device did anything, on whichever streams: in order, no two of them touch.
std::vector<TimeSpan> busy_spans(std::span<const DeviceWork> work, std::int32_t device);

/// How long, within a span.
std::int64_t busy_ns(std::span<const TimeSpan> busy, const TimeSpan& within);

/// A time when a device did nothing.
struct IdleGap {
  TimeSpan span;
  std::size_t before = 0;  ///< index of the work that ended last before it
  std::size_t after = 0;   ///< of the work that began first after it

  bool operator==(const IdleGap&) const = default;
};

/// The gaps of a device that are longer than that, between its first work and its last; in order.
std::vector<IdleGap> idle_gaps(std::span<const DeviceWork> work, std::int32_t device, std::int64_t longer_than_ns);

/// What was done, and for how long. `ns` adds up streams that ran at once: the device may have been busy for less.
struct DeviceSum {
  std::int64_t count = 0;
  std::int64_t ns = 0;
  std::int64_t bytes = 0;

  bool operator==(const DeviceSum&) const = default;
};

struct DeviceTotal {
  DeviceSum kernels;
  DeviceSum copies;
  DeviceSum fills;

  void add(const DeviceWork& work);
  void merge(const DeviceTotal& other);
  bool operator==(const DeviceTotal&) const = default;
};

/// Keyed by id; 0 holds what belongs to none. All of `work` is in exactly one of them.
std::map<std::int64_t, DeviceTotal> totals_by_segment(std::span<const DeviceWork> work);
std::map<std::int64_t, DeviceTotal> totals_by_call_site(std::span<const DeviceWork> work);

}  // namespace ampprof

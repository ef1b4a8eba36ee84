// SPDX-License-Identifier: Apache-2.0
#include "reports/records/device_time.h"

#include <algorithm>
#include <limits>

#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

/// Indices of a device's work, earliest start first; of those that start at once, in their order.
std::vector<std::size_t> in_order(std::span<const DeviceWork> work, std::int32_t device) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (work[i].device == device) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return work[i].start_ns; });
  return order;
}

void add(DeviceSum& sum, const DeviceSum& more) {
  saturating_add(sum.count, more.count);
  saturating_add(sum.ns, more.ns);
  saturating_add(sum.bytes, more.bytes);
}

std::map<std::int64_t, DeviceTotal> totals_by(std::span<const DeviceWork> work, std::int64_t DeviceWork::*key) {
  std::map<std::int64_t, DeviceTotal> totals;
  for (const DeviceWork& each : work) totals[each.*key].add(each);
  return totals;
}

}  // namespace

TimeSpan span_of(const DeviceWork& work) {
  TimeSpan span{work.start_ns, work.start_ns};
  saturating_add(span.to_ns, std::max<std::int64_t>(work.duration_ns, 0));
  return span;
}

std::vector<TimeSpan> busy_spans(std::span<const DeviceWork> work, std::int32_t device) {
  std::vector<TimeSpan> busy;
  for (const std::size_t i : in_order(work, device)) {
    const TimeSpan span = span_of(work[i]);
    if (!busy.empty() && span.from_ns <= busy.back().to_ns) {
      busy.back().to_ns = std::max(busy.back().to_ns, span.to_ns);
    } else {
      busy.push_back(span);
    }
  }
  return busy;
}

std::int64_t busy_ns(std::span<const TimeSpan> busy, const TimeSpan& within) {
  std::int64_t total = 0;
  auto span = std::ranges::partition_point(busy, [&](const TimeSpan& each) { return each.to_ns <= within.from_ns; });
  for (; span != busy.end() && span->from_ns < within.to_ns; ++span) {
    const TimeSpan both{std::max(span->from_ns, within.from_ns), std::min(span->to_ns, within.to_ns)};
    saturating_add(total, both.duration_ns());
  }
  return total;
}

std::vector<IdleGap> idle_gaps(std::span<const DeviceWork> work, std::int32_t device, std::int64_t longer_than_ns) {
  std::vector<IdleGap> gaps;
  const std::vector<std::size_t> order = in_order(work, device);
  if (order.empty()) return gaps;
  std::size_t last = order.front();  // to end, of those that have begun
  for (const std::size_t next : order) {
    const TimeSpan idle{span_of(work[last]).to_ns, work[next].start_ns};
    if (idle.duration_ns() > std::max<std::int64_t>(longer_than_ns, 0)) gaps.push_back({idle, last, next});
    if (span_of(work[next]).to_ns > span_of(work[last]).to_ns) last = next;
  }
  return gaps;
}

void DeviceTotal::add(const DeviceWork& work) {
  DeviceSum& sum = work.kind == DeviceWorkKind::Kernel ? kernels : work.kind == DeviceWorkKind::Copy ? copies : fills;
  ampprof::add(sum, {1, work.duration_ns, work.bytes});
}

void DeviceTotal::merge(const DeviceTotal& other) {
  ampprof::add(kernels, other.kernels);
  ampprof::add(copies, other.copies);
  ampprof::add(fills, other.fills);
}

std::map<std::int64_t, DeviceTotal> totals_by_segment(std::span<const DeviceWork> work) {
  return totals_by(work, &DeviceWork::segment);
}

std::map<std::int64_t, DeviceTotal> totals_by_call_site(std::span<const DeviceWork> work) {
  return totals_by(work, &DeviceWork::call_site);
}

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are a GPU recording, a part of one, or refused. Each activity is counted exactly once.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "profiler/gpu/correlate.h"
#include "profiler/gpu/replay.h"
#include "reports/records/device_time.h"
#include "reports/records/saturating_add.h"

namespace {

using namespace ampprof;
using namespace ampprof::profiler;

bool is_gpu_activity(const Activity& activity) {
  return std::holds_alternative<KernelActivity>(activity) || std::holds_alternative<MemcpyActivity>(activity) ||
         std::holds_alternative<MemsetActivity>(activity);
}

void promise(bool is_kept) {
  if (!is_kept) std::abort();
}

void look_at_times(std::vector<GpuActivity> activities) {
  std::erase_if(activities, [](const GpuActivity& each) { return each.device != 0; });
  std::ranges::stable_sort(activities, {}, &GpuActivity::start_ns);
  const auto busy = busy_spans(activities, 0);
  std::int64_t sum = 0;
  IdleGaps gaps;
  for (const GpuActivity& each : activities) {
    promise(each.duration_ns >= 0 && each.bytes >= 0);
    saturating_add(sum, each.duration_ns);
    if (const auto gap = gaps.before(each)) promise(busy_ns(busy, *gap) == 0);
  }
  promise(busy_ns(busy, kAnyTime) <= sum);
}

void correlate(const ActivityDump& dump, const CorrelatorLimits& limits) {
  std::int32_t texts = 0;
  Correlator correlator(
      {.intern = [&](std::string_view) { return ++texts; }, .thread_of = [](std::uint32_t) { return 1; }}, limits);
  std::int64_t given = 0;
  std::vector<GpuActivity> activities;
  const auto keep = [&](const std::vector<GpuActivity>& more) {
    activities.insert(activities.end(), more.begin(), more.end());
  };
  for (const RawBuffer& raw : dump.buffers) {
    const ActivityBuffer buffer = activities_of(raw);
    promise(buffer.activities.size() == raw.records.size());
    for (const Activity& activity : buffer.activities) given += is_gpu_activity(activity) ? 1 : 0;
    correlator.add(buffer);
    keep(correlator.take());
  }
  keep(correlator.finish());
  const CorrelationCounts& counts = correlator.counts();
  const auto taken = static_cast<std::int64_t>(activities.size());
  promise(counts.attributed + counts.outside_ops + counts.unknown_launch + counts.unnamed_op == taken);
  promise(counts.left_out == counts.no_times + counts.ends_early + counts.repeated && taken + counts.left_out == given);
  for (const Missing& missing : missing_of(counts)) promise(missing.count > 0 && !missing.cause.empty());
  look_at_times(activities);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ActivityDump dump = read_activities(std::as_bytes(std::span(data, size)));
    correlate(dump, {});
    correlate(dump, {.activity_buffers = 1,
                     .activity_ns = 1,
                     .most_activities = 2,
                     .launch_buffers = 1,
                     .launch_ns = 1,
                     .most_launches = 2});
  } catch (const ActivityFileError&) {
  }
  return 0;
}

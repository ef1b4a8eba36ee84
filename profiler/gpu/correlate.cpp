// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/correlate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <variant>

#include "profiler/gpu/launched_by.h"
#include "reports/records/enum_names.h"
#include "reports/records/saturating_add.h"

namespace ampprof::profiler {
namespace {

constexpr std::size_t kRunsRemembered = std::size_t{1} << 16;
constexpr std::size_t kMostPools = 4096;

std::int64_t clamped(std::uint64_t number) {
  return static_cast<std::int64_t>(
      std::min(number, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
}

std::string_view name_of(MemcpyKind kind) {
  constexpr std::array<std::string_view, 11> kNames{"memcpy",
                                                    "memcpy host to device",
                                                    "memcpy device to host",
                                                    "memcpy host to array",
                                                    "memcpy array to host",
                                                    "memcpy array to array",
                                                    "memcpy array to device",
                                                    "memcpy device to array",
                                                    "memcpy device to device",
                                                    "memcpy host to host",
                                                    "memcpy between devices"};
  return text_among(kNames, kind, "memcpy");
}

}  // namespace

std::size_t Correlator::RunHash::operator()(const DeviceExecution& run) const {
  const std::array<std::uint64_t, 5> parts{run.start, run.end, run.graph_node, run.correlation, run.stream};
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(parts.data()), sizeof parts});
}

Correlator::Correlator(CorrelatorNeeds needs, const CorrelatorLimits& limits)
    : needs_(std::move(needs)), limits_(limits), seen_(kRunsRemembered) {}

void Correlator::add(const ActivityBuffer& buffer) {
  ++buffers_;
  clock_ = buffer.clock;
  saturating_add(counts_.dropped, clamped(buffer.dropped));
  counts_.cut_buffers += buffer.is_cut_short ? 1 : 0;
  for (const Activity& activity : buffer.activities) {
    std::visit([this](const auto& known) { take_up(known); }, activity);
  }
  settle_waiting();
  forget_launches();
}

std::vector<GpuActivity> Correlator::take() { return std::exchange(settled_, {}); }

std::vector<GpuActivity> Correlator::finish() {
  for (const Waiting& waiting : waiting_) settle(waiting);
  waiting_.clear();
  return take();
}

void Correlator::take_up(const KernelActivity& kernel) {
  const std::string_view name = kernel.name.empty() ? "kernel without a name" : kernel.name;
  add_activity(kernel.run, GpuActivityKind::Kernel, name, 0);
}

void Correlator::take_up(const MemcpyActivity& memcpy) {
  add_activity(memcpy.run, GpuActivityKind::Memcpy, name_of(memcpy.kind), memcpy.bytes);
}

void Correlator::take_up(const MemsetActivity& memset) {
  add_activity(memset.run, GpuActivityKind::Memset, "memset", memset.bytes);
}

// A runtime call and the driver call inside it may share a correlation id. Their common launch gets the time and thread
// of the outer call, which starts first.
void Correlator::take_up(const ApiActivity& api) {
  if (api.correlation == 0) return;
  newest_ = std::max(newest_, api.end);
  Launch& launch = launch_of(api.correlation);
  if (launch.entered && std::pair(*launch.entered, launch.thread) <= std::pair(api.start, api.thread)) return;
  launch.entered = api.start;
  launch.thread = api.thread;
}

void Correlator::take_up(const ExternalIdActivity& id) {
  if (id.stack != kOurStack || id.correlation == 0) return;
  Launch& launch = launch_of(id.correlation);
  launch.external_id = std::max(launch.external_id.value_or(0), id.external_id);
}

void Correlator::take_up(const OverheadActivity& overhead) {
  if (overhead.end < overhead.start) return;
  saturating_add(counts_.overhead_ns[static_cast<std::size_t>(overhead.kind)], clamped(overhead.end - overhead.start));
}

void Correlator::take_up(const MemoryPoolActivity& pool) {
  const std::pair key(pool.device, pool.address);
  if (pool.operation == PoolOperation::Destroyed) {
    pools_.erase(key);
  } else if (pools_.contains(key) || pools_.size() < kMostPools) {
    pools_[key] = clamped(pool.size);
  }
  std::int64_t bytes = 0;
  for (const auto& [ignored, size] : pools_) saturating_add(bytes, size);
  counts_.peak_pool_bytes = std::max(counts_.peak_pool_bytes, bytes);
}

void Correlator::take_up(const GraphActivity&) { ++counts_.whole_graphs; }

void Correlator::take_up(const UnreadActivity& unread) { ++(unread.is_short ? counts_.cut_records : counts_.unread); }

bool Correlator::is_sound(const DeviceExecution& run) {
  std::int64_t* fault = nullptr;
  if (run.start == 0 || run.end == 0) {
    fault = &counts_.no_times;
  } else if (run.end < run.start) {
    fault = &counts_.ends_early;
  } else if (!seen_.is_new(run)) {
    fault = &counts_.repeated;
  }
  if (fault == nullptr) return true;
  ++*fault;
  ++counts_.left_out;
  return false;
}

void Correlator::add_activity(const DeviceExecution& run, GpuActivityKind kind, std::string_view name,
                              std::uint64_t bytes) {
  if (!is_sound(run)) return;
  newest_ = std::max(newest_, run.end);
  counts_.graph_nodes += run.graph != 0 ? 1 : 0;
  if (run.correlation != 0) (void)launch_of(run.correlation);
  waiting_.push_back({.activity = {.duration_ns = clamped(run.end - run.start),
                                   .bytes = clamped(bytes),
                                   .name = interned(name),
                                   .device = static_cast<std::int32_t>(run.device),
                                   .stream = static_cast<std::int32_t>(run.stream),
                                   .graph = static_cast<std::int32_t>(run.graph),
                                   .kind = kind},
                      .start = run.start,
                      .clock = clock_,
                      .correlation = run.correlation,
                      .buffer = buffers_,
                      .time = newest_});
}

// Returns the launch with this correlation id. If the record of an activity comes before the records of its launch,
// makes an empty launch, which is forgotten as late as any other.
Correlator::Launch& Correlator::launch_of(std::uint32_t correlation) {
  const auto [found, is_new] = launches_.try_emplace(correlation);
  if (is_new) launch_order_.push_back({correlation, buffers_});
  found->second.buffer = buffers_;
  found->second.time = newest_;
  return found->second;
}

void Correlator::settle(const Waiting& waiting) {
  const auto found = launches_.find(waiting.correlation);
  const Launch launch = found != launches_.end() ? found->second : Launch{};
  GpuActivity& activity = settled_.emplace_back(waiting.activity);
  activity.start_ns = waiting.clock.to_recorder(waiting.start);
  if (launch.entered) {
    activity.launched_ns = waiting.clock.to_recorder(*launch.entered);
    activity.thread = needs_.thread_of(launch.thread);
  }
  if (launch.external_id.value_or(0) != 0) {
    const LaunchedBy by = LaunchedBy::decode(*launch.external_id);
    activity.segment = by.segment;
    activity.call_site = by.call_site;
    ++counts_.attributed;
    counts_.without_api += launch.entered ? 0 : 1;
  } else {
    ++(launch.external_id ? counts_.unnamed_op : launch.entered ? counts_.outside_ops : counts_.unknown_launch);
  }
}

bool Correlator::is_old(const Waiting& waiting) const {
  return buffers_ - waiting.buffer >= limits_.activity_buffers && newest_ - waiting.time >= limits_.activity_ns;
}

bool Correlator::is_old(const Launch& launch) const {
  return buffers_ - launch.buffer >= limits_.launch_buffers && newest_ - launch.time >= limits_.launch_ns;
}

void Correlator::settle_waiting() {
  const std::size_t excess = waiting_.size() - std::min(waiting_.size(), limits_.most_activities);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Waiting& waiting = waiting_[i];
    const auto launch = launches_.find(waiting.correlation);
    const bool is_whole = launch != launches_.end() && launch->second.is_whole();
    if (is_whole || i < excess || waiting.correlation == 0 || is_old(waiting)) {
      settle(waiting);
    } else {
      waiting_[kept++] = waiting;
    }
  }
  waiting_.resize(kept);
}

void Correlator::forget_launches() {
  while (!launch_order_.empty()) {
    const Heard heard = launch_order_.front();
    const Launch& launch = launches_.at(heard.correlation);
    const bool was_heard_again = launch.buffer > heard.buffer;
    const bool is_excess = launches_.size() > limits_.most_launches;
    if (!was_heard_again && !is_excess && !is_old(launch)) return;
    launch_order_.pop_front();
    if (was_heard_again) {
      launch_order_.push_back({heard.correlation, launch.buffer});
    } else {
      launches_.erase(heard.correlation);
    }
  }
}

std::int32_t Correlator::interned(std::string_view text) {
  const auto found = names_.find(text);
  if (found != names_.end()) return found->second;
  return names_.emplace(text, needs_.intern(text)).first->second;
}

}  // namespace ampprof::profiler

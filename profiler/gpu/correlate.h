// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "profiler/gpu/activity.h"
#include "profiler/gpu/missing_activities.h"
#include "reports/records/gpu_activity.h"

namespace ampprof::profiler {

/// Remembers the last `most` distinct keys.
template <typename Key, typename Hash>
class SeenOnce {
 public:
  explicit SeenOnce(std::size_t most) : most_(most) {}

  /// Returns false for a key that is remembered.
  bool is_new(const Key& key) {
    if (!keys_.insert(key).second) return false;
    order_.push_back(key);
    if (order_.size() > most_) {
      keys_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }

 private:
  std::size_t most_;
  std::unordered_set<Key, Hash> keys_;
  std::deque<Key> order_;  ///< oldest first
};

/// Limits on how long activities wait for their launch, and how long launches are kept after their last record. See
/// README.md, "What is forgotten".
struct CorrelatorLimits {
  std::int64_t activity_buffers = 8;                   ///< an activity waits for this many buffers, and for activity_ns
  std::uint64_t activity_ns = 2'000'000'000;           ///< ns on CUPTI's clock
  std::size_t most_activities = std::size_t{1} << 16;  ///< if more wait, the oldest settles without a launch
  std::int64_t launch_buffers = 64;                    ///< a launch is kept for this many buffers, and for launch_ns
  std::uint64_t launch_ns = 30'000'000'000;            ///< ns on CUPTI's clock
  std::size_t most_launches = std::size_t{1} << 19;
};

/// Callbacks, which run on the thread that calls the correlator.
struct CorrelatorNeeds {
  std::function<std::int32_t(std::string_view)> intern;            ///< returns a text's id; called once for each text
  std::function<std::int32_t(std::uint32_t os_thread)> thread_of;  ///< returns OpCall::thread; 0 for an unknown thread
};

/// Finds the op call that launched each kernel, memcpy and memset.
///
/// Takes CUPTI's buffers and their records in any order. Returns each activity once: when its launch is known, or when
/// the wait for the launch is over. Its memory is bounded. Pure. Not thread-safe.
class Correlator {
 public:
  explicit Correlator(CorrelatorNeeds needs, const CorrelatorLimits& limits = {});

  void add(const ActivityBuffer& buffer);
  /// Returns the activities that settled since the last call, unsorted.
  std::vector<GpuActivity> take();
  /// Returns the settled activities and all waiting ones. Call it after the last buffer.
  std::vector<GpuActivity> finish();

  const CorrelationCounts& counts() const { return counts_; }

 private:
  /// An API call that launches GPU work, as far as its records have arrived.
  struct Launch {
    std::optional<std::uint64_t> external_id;
    std::optional<std::uint64_t> entered;  ///< start time of the call on CUPTI's clock
    std::uint32_t thread = 0;
    std::int64_t buffer = 0;  ///< number of the last buffer with a record of the call or of its activities
    std::uint64_t time = 0;   ///< value of newest_ after the record that set `buffer`
    bool is_whole() const { return external_id && entered; }
  };
  struct Waiting {
    GpuActivity activity;  ///< complete except for start, launch and op call, which settle() adds
    std::uint64_t start = 0;
    CuptiClock clock;
    std::uint32_t correlation = 0;
    std::int64_t buffer = 0;
    std::uint64_t time = 0;
  };

  struct Heard {
    std::uint32_t correlation = 0;
    std::int64_t buffer = 0;
  };
  struct RunHash {
    std::size_t operator()(const DeviceExecution& run) const;
  };

  void take_up(const KernelActivity& kernel);
  void take_up(const MemcpyActivity& memcpy);
  void take_up(const MemsetActivity& memset);
  void take_up(const ApiActivity& api);
  void take_up(const ExternalIdActivity& id);
  void take_up(const OverheadActivity& overhead);
  void take_up(const MemoryPoolActivity& pool);
  void take_up(const GraphActivity& graph);
  void take_up(const UnreadActivity& unread);

  void add_activity(const DeviceExecution& run, GpuActivityKind kind, std::string_view name, std::uint64_t bytes);
  bool is_sound(const DeviceExecution& run);
  bool is_old(const Waiting& waiting) const;
  bool is_old(const Launch& launch) const;
  Launch& launch_of(std::uint32_t correlation);
  void settle(const Waiting& waiting);
  void settle_waiting();
  void forget_launches();
  std::int32_t interned(std::string_view text);

  CorrelatorNeeds needs_;
  CorrelatorLimits limits_;
  CorrelationCounts counts_;
  CuptiClock clock_;          ///< clocks of the current buffer
  std::int64_t buffers_ = 0;  ///< number of buffers so far
  std::uint64_t newest_ = 0;  ///< newest time in any record so far
  std::unordered_map<std::uint32_t, Launch> launches_;
  std::deque<Heard> launch_order_;  ///< one entry for each launch in launches_
  std::vector<Waiting> waiting_;    ///< oldest first
  std::vector<GpuActivity> settled_;
  std::map<std::string, std::int32_t, std::less<>> names_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> pools_;  ///< bytes of pools, by device and address
  SeenOnce<DeviceExecution, RunHash> seen_;
};

}  // namespace ampprof::profiler

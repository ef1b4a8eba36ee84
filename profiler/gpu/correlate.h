// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/gpu/activity.h"
#include "profiler/gpu/clock.h"
#include "profiler/gpu/launched_by.h"
#include "profiler/gpu/seen_once.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/records.h"

namespace ampprof::profiler {

/// How long records wait for each other; see README.md, "What is forgotten".
struct Patience {
  std::int64_t activity_buffers = 8;                   ///< activity waits for its launch that many buffers and ...
  std::uint64_t activity_ns = 2'000'000'000;           ///< ... that long on CUPTI's clock
  std::size_t most_activities = std::size_t{1} << 16;  ///< waiting at once; beyond, the oldest goes as it is
  std::int64_t launch_buffers = 64;              ///< a launch is known that many buffers and ...
  std::uint64_t launch_ns = 30'000'000'000;      ///< ... that long after it was last heard of
  std::size_t most_launches = std::size_t{1} << 19;
};

/// What the correlator asks of its caller, on the thread that calls it.
struct CorrelatorNeeds {
  std::function<std::int32_t(std::string_view)> intern;            ///< id of a text; asked once for each
  std::function<std::int32_t(std::uint32_t os_thread)> thread_of;  ///< OpCall::thread; 0 where unknown
};

/// What came of the records. each activity is in exactly one of the first five.
struct CorrelationCounts {
  std::int64_t attributed = 0;      ///< to an op call
  std::int64_t outside_ops = 0;     ///< launched by the program outside of any op call
  std::int64_t unknown_launch = 0;  ///< recorded, but nothing is known of its launch
  std::int64_t unnamed_op = 0;      ///< launched by an op call whose id was 0: the source counts such calls
  std::int64_t left_out = 0;        ///< not recorded: no_times, ends_early and repeated

  std::int64_t without_api = 0;  ///< of `attributed`: the launching call has no record, so thread and time are unknown
  std::int64_t no_times = 0;
  std::int64_t ends_early = 0;   ///< before it starts
  std::int64_t repeated = 0;     ///< the same record again
  std::int64_t graph_nodes = 0;  ///< of what is recorded, in CUDA graphs: attributed to the launch of the graph
  std::int64_t whole_graphs = 0;
  std::int64_t dropped = 0;  ///< records, by CUPTI
  std::int64_t unread = 0;   ///< records of unknown kinds
  std::int64_t cut_records = 0;
  std::int64_t cut_buffers = 0;
  std::array<std::int64_t, kOverheadKinds> overhead_ns{};  ///< of CUPTI itself, by OverheadKind
  std::int64_t peak_pool_bytes = 0;                        ///< of the pools of cudaMallocAsync, all devices

  bool operator==(const CorrelationCounts&) const = default;
};

/// Finds out which op call each kernel, memcpy and memset belongs to.
///
/// Takes CUPTI's buffers in any order, and the records in them in any order. Gives each activity once, as soon as
/// all is known of its launch or as nothing more is expected. Needs bounded memory. Pure; not thread-safe.
class Correlator {
 public:
  explicit Correlator(CorrelatorNeeds needs, const Patience& patience = {});

  void add(const ActivityBuffer& buffer);
  /// What settled since the last time, in no order.
  std::vector<GpuActivity> take();
  /// The same with all that still waits: nothing more will come.
  std::vector<GpuActivity> finish();

  const CorrelationCounts& counts() const { return counts_; }

 private:
  /// What is known of an API call.
  struct Launch {
    std::optional<std::uint64_t> external_id;
    std::optional<std::uint64_t> entered;  ///< CUPTI's clock
    std::uint32_t thread = 0;
    std::int64_t buffer = 0;  ///< number of the last one that spoke of it
    std::uint64_t time = 0;   ///< likewise, the newest time then
    bool is_whole() const { return external_id && entered; }
  };
  struct Waiting {
    GpuActivity activity;  ///< but for its moments
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
    std::size_t operator()(const DeviceRun& run) const;
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

  void add_activity(const DeviceRun& run, GpuActivityKind kind, std::string_view name, std::uint64_t bytes);
  bool is_sound(const DeviceRun& run);
  bool is_old(const Waiting& waiting) const;
  bool is_old(const Launch& launch) const;
  Launch& launch_of(std::uint32_t correlation);
  void settle(const Waiting& waiting);
  void settle_waiting();
  void forget_launches();
  std::int32_t interned(std::string_view text);

  CorrelatorNeeds needs_;
  Patience patience_;
  CorrelationCounts counts_;
  CuptiClock clock_;          ///< of the buffer that is being taken
  std::int64_t buffers_ = 0;  ///< taken so far
  std::uint64_t newest_ = 0;  ///< time in any record
  std::unordered_map<std::uint32_t, Launch> launches_;
  std::deque<Heard> launch_order_;  ///< one for each of launches_
  std::vector<Waiting> waiting_;    ///< oldest first
  std::vector<GpuActivity> settled_;
  std::map<std::string, std::int32_t, std::less<>> names_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> pools_;  ///< bytes by device and address
  SeenOnce<DeviceRun, RunHash> seen_;
};

/// What a report must say is not in it, or not as one would expect; nothing where all is well.
std::vector<Missing> missing_of(const CorrelationCounts& counts);

}  // namespace ampprof::profiler

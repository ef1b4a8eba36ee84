// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "profiler/gpu/busy_time.h"
#include "profiler/gpu/clock_log.h"
#include "profiler/gpu/correlate.h"
#include "profiler/gpu/own_passes.h"
#include "profiler/gpu/source.h"
#include "reports/records/batch.h"
#include "reports/records/device_time.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/run.h"

namespace ampprof::profiler {

/// Turns CUPTI's records of GPU activity into the records of a report. Leaves out ampprof's own launches, and sums
/// their time.
///
/// Any thread may call push() and pop(), but both calls of a pair must be on one thread. Any thread may call
/// collect() and finish().
class GpuRecording {
 public:
  struct Needs {
    std::function<std::int64_t()> now_ns;                            ///< the recorder's clock
    std::function<std::int32_t(std::uint32_t os_thread)> thread_of;  ///< returns OpCall::thread
  };
  struct Opened {
    std::unique_ptr<GpuRecording> recording;  ///< null if recording is impossible
    std::vector<Missing> missing;             ///< gaps and their causes; empty without a driver, since no GPU is in use
  };
  static Opened open(Needs needs);
  /// Returns whether AMPPROF_CUPTI names the library. Then a recording needs no driver.
  static bool names_its_library();

  void push(const LaunchedBy& by) noexcept { source_->push(by); }
  void pop() noexcept { source_->pop(); }
  void other_profiler_began() noexcept { source_->other_profiler_began(); }
  /// Note that one of ampprof's own backward passes begins or has ended on this thread.
  void own_pass_began() { own_passes_.begin(now_ns_()); }
  void own_pass_ended() { own_passes_.end(now_ns_()); }

  /// Adds the activities that CUPTI has delivered so far, and reads the clocks of devices that have worked since the
  /// last call. Does not wait for a GPU. Adds nothing after finish().
  void collect(Batch& batch);

  struct Totals {
    std::int64_t busy_ns = 0;               ///< ns in which GPUs worked for the program
    std::int64_t overhead_ns = 0;           ///< ns in which a GPU worked for ampprof and not for the program
    std::vector<DeviceClocks> clocks = {};  ///< clocks of the devices that worked for the program, by ordinal
  };
  /// Adds all remaining activities, and stops recording. Synchronize the devices first. CUPTI stays switched on.
  Totals finish(Batch& batch);
  /// Returns whether CUPTI has delivered a record.
  bool has_delivered() const { return source_->has_delivered(); }
  /// Switches CUPTI off, so that another recording can open. Call it after finish().
  void release() { source_->release(); }

 private:
  explicit GpuRecording(Needs needs);

  void take(std::vector<GpuActivity> activities, Batch& batch);
  std::int32_t intern(std::string_view text);

  const std::function<std::int64_t()> now_ns_;
  OwnPasses own_passes_;
  std::mutex mutex_;  ///< guards all members below except the source
  std::vector<InternedText> new_names_;
  std::int32_t names_ = 0;
  Correlator correlator_;
  std::unique_ptr<Source> source_;
  BusyTime busy_;
  BusyTime busy_with_ours_;
  gpu::DeviceMonitor monitor_;
  ClockLog clocks_;
};

/// Attributes this thread's launches to `by` for its lifetime. Does nothing without a recording.
class [[nodiscard]] LaunchScope {
 public:
  LaunchScope(GpuRecording* recording, const LaunchedBy& by) : recording_(recording) {
    if (recording_ != nullptr) recording_->push(by);
  }
  ~LaunchScope() {
    if (recording_ != nullptr) recording_->pop();
  }
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

 private:
  GpuRecording* recording_;
};

}  // namespace ampprof::profiler

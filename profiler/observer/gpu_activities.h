// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "profiler/gpu/recording.h"

namespace ampprof {
struct RunDetach;
}

namespace ampprof::profiler {

class MissingNotes;
class Recorder;
class RunClock;

/// Records GPU activities of the program, if asked for. Does not touch CUDA, CUPTI or NVML before the program itself
/// uses a GPU, because the program may still choose its devices, or fork. Thread-safe.
class GpuActivities {
 public:
  GpuActivities(const RunClock& clock, MissingNotes& missing) : clock_(clock), missing_(missing) {}

  /// Makes a call site for GPU work outside of op calls, and returns its id. `what` names the work. `number` is
  /// different for each name. collect() and finish() call this function once for each name, on their own thread.
  using MakeSite = std::function<std::int64_t(const std::string& what, std::int32_t number)>;
  void set_make_site(MakeSite make_site) { make_site_ = std::move(make_site); }

  /// Requests a recording. The recording begins when the program uses a GPU, or at once if AMPPROF_CUPTI names a
  /// library.
  void want();
  /// Returns whether the program has not used a GPU so far.
  bool is_awaited() const { return !is_used_.load(std::memory_order_relaxed); }
  /// Notes that the program is about to use a GPU. Returns whether this is the first time.
  bool program_uses_one();
  /// Notes that the program's own profiler is running.
  void program_profiles_itself();
  /// Returns the recording; null if no GPU is recorded.
  GpuRecording* recording() const { return current_.load(std::memory_order_acquire); }

  /// Passes the activities that CUPTI has delivered so far to the recorder. Called on the writer's thread; neither the
  /// program nor CUPTI waits for it.
  void collect(Recorder& recorder);
  /// Passes all remaining activities to the recorder, and stops recording. Synchronize the devices first. The driver
  /// must still be loaded.
  void close(Recorder& recorder);
  /// Closes the recording if it is open, and stores the busy time of the devices in `detach`. Returns the clocks of the
  /// devices that the program used.
  std::vector<DeviceClocks> finish(Recorder& recorder, RunDetach& detach);
  /// Ends a recording that is not to be written.
  void drop();
  /// Lets another session record GPUs. Call it after finish() or drop().
  void release();

 private:
  void open();
  bool is_silent() const;
  std::int64_t site_of(const std::string& what);
  /// Assigns activities outside of recorded op calls to separate call sites: one for all unrecorded steps, and one for
  /// each CUDA graph, whose ops were called only at its capture.
  void name_others(std::vector<GpuActivity>& activities);

  const RunClock& clock_;
  MissingNotes& missing_;
  std::atomic<bool> is_wanted_{false};
  std::atomic<bool> is_used_{false};
  std::atomic<bool> has_other_profiler_{false};
  MakeSite make_site_;
  std::mutex handing_over_;                    ///< guards the next three members
  std::map<std::string, std::int64_t> sites_;  ///< call sites, keyed by the name of the work
  bool is_closed_ = false;
  GpuRecording::Totals totals_;  ///< set by close()
  std::unique_ptr<GpuRecording> recording_;
  std::atomic<GpuRecording*> current_{nullptr};  ///< `recording_`, for other threads
};

}  // namespace ampprof::profiler

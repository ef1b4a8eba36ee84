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

/// Records what GPUs do for the program, where it was asked for. Nothing of CUDA, CUPTI or NVML is touched before the
/// program itself uses a GPU: it may still choose its devices, or fork. Thread-safe.
class GpuActivities {
 public:
  GpuActivities(const RunClock& clock, MissingNotes& missing) : clock_(clock), missing_(missing) {}

  /// Makes the call site that stands for work of no op call: `what` is its name, `number` tells it apart. Called once
  /// for each by collect() and finish(), on their thread.
  using MakeSite = std::function<std::int64_t(const std::string& what, std::int32_t number)>;
  void set_make_site(MakeSite make_site) { make_site_ = std::move(make_site); }

  /// Asks for a recording: it begins when the program uses a GPU, or at once where AMPPROF_CUPTI names a library.
  void want();
  /// Whether the program has not used a GPU so far.
  bool is_awaited() const { return !is_used_.load(std::memory_order_relaxed); }
  /// The program is about to use a GPU. Returns whether this is the first time.
  bool program_uses_one();
  /// The program's own profiler is running.
  void program_profiles_itself();
  /// Returns null where no GPU is recorded.
  GpuRecording* recording() const { return current_.load(std::memory_order_acquire); }

  /// Hands over what is known by now. For the writer's thread: neither the program nor CUPTI waits for it.
  void collect(Recorder& recorder);
  /// Hands over all the rest and records nothing more. Wait for the devices before; their driver must still be there.
  void close(Recorder& recorder);
  /// Closes it where nobody has, and says in `detach` how long the devices were busy. Returns the clocks of the devices
  /// that worked for the program.
  std::vector<DeviceClocks> finish(Recorder& recorder, RunDetach& detach);
  /// Ends what is never to be written.
  void drop();
  /// Lets another session record GPUs; after finish() or drop().
  void release();

 private:
  void open();
  bool is_silent() const;
  std::int64_t site_of(const std::string& what);
  /// Gives what is of no op call to call sites of its own: steps that are not recorded, and CUDA graphs, whose ops ran
  /// when they were captured.
  void name_others(std::vector<GpuActivity>& activities);

  const RunClock& clock_;
  MissingNotes& missing_;
  std::atomic<bool> is_wanted_{false};
  std::atomic<bool> is_used_{false};
  std::atomic<bool> has_other_profiler_{false};
  MakeSite make_site_;
  std::mutex handing_over_;                    ///< guards the next three
  std::map<std::string, std::int64_t> sites_;  ///< by what they stand for
  bool is_closed_ = false;
  GpuRecording::Totals totals_;  ///< once it is closed
  std::unique_ptr<GpuRecording> recording_;
  std::atomic<GpuRecording*> current_{nullptr};  ///< the recording, for threads that did not open it
};

}  // namespace ampprof::profiler

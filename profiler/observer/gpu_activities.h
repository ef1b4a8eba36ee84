// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "profiler/gpu/recording.h"

namespace ampprof {
struct RunDetach;
}

namespace ampprof::profiler {

class MissingNotes;
class Recorder;
class RunClock;

/// Records what GPUs do for the program, where there are some and it was asked for. Thread-safe once it is open.
class GpuActivities {
 public:
  void open(const RunClock& clock, MissingNotes& missing);
  /// Returns null where no GPU is recorded.
  GpuRecording* recording() const { return recording_.get(); }

  /// Hands over what is known by now. For the writer's thread: neither the program nor CUPTI waits for it.
  void collect(Recorder& recorder);
  /// Waits for the devices, hands over all the rest, and says in `detach` how long they were busy. Returns the clocks
  /// of the devices that worked for the program.
  std::vector<DeviceClocks> finish(Recorder& recorder, RunDetach& detach);
  /// Ends what is never to be written.
  void drop();

 private:
  std::unique_ptr<GpuRecording> recording_;
};

}  // namespace ampprof::profiler

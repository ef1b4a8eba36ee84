// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "profiler/gradient_impact/gradient_replay.h"

namespace ampprof::profiler {

struct BackwardPass;
struct CallContext;
class MissingNotes;
class Recorder;
class RunClock;

/// Tapes followed segments of one training loop, one at a time and as often as TapeOptions says. Finishes each segment
/// after its update, and records the results. Tapes only the thread that began the segment, because work of other
/// threads (serving, or training another model) is not part of the segment. Thread-safe. Never call it with the
/// session's lock held.
class GradientReplays {
 public:
  GradientReplays(const TapeOptions& options, KnownParameters parameters, Recorder& recorder, MissingNotes& missing,
                  RunClock& clock);

  /// Returns the observer that tapes the leaf ops of a call that is about to run; null if the call is not taped.
  std::shared_ptr<LeafObserver> recorder_of(const CallContext& call);
  /// Returns the segment that is being taped; null if there is none.
  std::shared_ptr<GradientReplay> current() const;

  // Called in the program's order.
  /// Handles a call that is about to run. Finishes the segment before it, if this is the first call after the update.
  void call_begun(CallContext& call, bool is_recorded);
  void optimizer_ended();
  void backward_begun(const std::vector<BackwardRoot>& roots, const BackwardPass& pass);
  void backward_ended(const BackwardPass& pass);
  /// Adds the numbers of the last segment to the next copy from the device, as backward_ended() does. Returns false if
  /// there are none.
  bool send_numbers();
  /// Frees the tapes. Call it when recording has ended.
  void release();

 private:
  /// Returns the segment in progress on the tape if this thread began it. Drops the segment while CUDA captures a
  /// graph, because the passes would become part of that graph.
  std::shared_ptr<GradientReplay> own();
  void finish(const std::shared_ptr<GradientReplay>& step);
  void write(StepGradients found);

  TapeOptions options_;
  const KnownParameters parameters_;
  Recorder& recorder_;
  MissingNotes& missing_;
  RunClock& clock_;
  mutable std::mutex mutex_;
  std::shared_ptr<GradientReplay> current_;
  std::thread::id thread_;                    ///< the thread on which `current_` began
  std::int64_t last_ = -1;                    ///< the latest followed segment
  std::int64_t to_pass_ = 0;                  ///< followed segments to skip before the next taped one
  std::shared_ptr<DeferredScalars> numbers_;  ///< numbers of the last finished segment; null after send_numbers()
  NamedGradients gradients_before_;
};

}  // namespace ampprof::profiler

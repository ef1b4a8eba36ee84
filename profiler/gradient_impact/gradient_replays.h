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

/// Tapes the followed segments of one training loop, or as many as TapeOptions says, one after the other. Finishes each
/// when it has updated, and records what came out. A segment is its thread's: what others do meanwhile, serving or
/// training another model, is not of it. Thread-safe; nothing of it may be called with the session's lock held.
class GradientReplays {
 public:
  GradientReplays(const TapeOptions& options, KnownParameters parameters, Recorder& recorder, MissingNotes& missing,
                  RunClock& clock);

  /// Returns who tapes the leaf calls of a call that is about to run; null where nobody does.
  std::shared_ptr<LeafObserver> recorder_of(const CallContext& call);
  /// Returns the segment that is being taped; null where none is.
  std::shared_ptr<GradientReplay> current() const;

  // In the program's order.
  /// A call has begun, and did not run yet: it may be the first one after the update.
  void call_begun(CallContext& call, bool is_recorded);
  void optimizer_ended();
  void backward_begun(const std::vector<BackwardRoot>& roots, const BackwardPass& pass);
  void backward_ended(const BackwardPass& pass);
  /// Lets numbers of the last segment come with what is brought from devices next, as the end of a backward pass does.
  /// Returns false where there are none.
  bool send_numbers();
  /// Lets go of what is taped: nothing is recorded any more.
  void release();

 private:
  /// Returns the segment that is being taped, where it is this thread's. Drops it where CUDA captures a graph: the
  /// passes would become part of that.
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
  std::thread::id thread_;                    ///< that it began on
  std::int64_t last_ = -1;                    ///< the followed segment that came last
  std::int64_t to_pass_ = 0;                  ///< followed segments until the next that is taped
  std::shared_ptr<DeferredScalars> numbers_;  ///< of the one finished last; null where they were sent for
  NamedGradients gradients_before_;
};

}  // namespace ampprof::profiler

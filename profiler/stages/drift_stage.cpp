// SPDX-License-Identifier: Apache-2.0
// Drift: passes each call to the DriftTracker, which repeats updates of tensors in exact arithmetic.
#include <utility>

#include "profiler/calls/call.h"
#include "profiler/drift/drift_tracker.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class DriftCall : public StageCall {
 public:
  DriftCall(DriftTracker& tracker, DriftTracker::PendingCall pending)
      : tracker_(tracker), pending_(std::move(pending)) {}

  void after(Call& call) override {
    // Frees the tensors of `pending_` at once, since this object may live until the end of the step.
    const DriftTracker::PendingCall pending = std::exchange(pending_, {});
    tracker_.after(call, pending);
  }

 private:
  DriftTracker& tracker_;
  DriftTracker::PendingCall pending_;
};

class DriftStage : public Stage {
 public:
  explicit DriftStage(DriftTracker& tracker) : tracker_(tracker) {}

  std::unique_ptr<StageCall> begin(Call& call) override {
    DriftTracker::PendingCall pending = tracker_.begin(call);
    return pending.is_empty() ? nullptr : std::make_unique<DriftCall>(tracker_, std::move(pending));
  }

 private:
  DriftTracker& tracker_;
};

}  // namespace

std::unique_ptr<Stage> make_drift_stage(DriftTracker& tracker) { return std::make_unique<DriftStage>(tracker); }

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

namespace ampprof {
struct OpCall;
}

namespace ampprof::profiler {

struct Call;
struct OpInfo;
struct PendingCall;

/// Holds a stage's state for one call until the call is recorded.
class StageCall {
 public:
  virtual ~StageCall() = default;

  /// Handles the call after the op has run.
  virtual void after(Call& call) = 0;

  /// Returns false while results of this stage are on a device. Then the call is recorded at the end of its step.
  virtual bool is_complete() const { return true; }

  /// Takes the results after they have arrived from the device. Called in the order of the calls, with the session
  /// locked.
  virtual void complete(PendingCall& /*call*/) {}

  /// Appends the call's rows for all runs of the report after the first. `record`: the row of the first run.
  virtual void add_further(const OpCall& /*record*/, std::vector<OpCall>& /*further*/) const {}
};

/// Measures one property of every recorded op call.
///
/// A stage takes the objects that it uses in its constructor, and keeps state of a call only in its StageCall. To add a
/// stage, write a file in profiler/stages/, declare its maker in stages.h and add a line to observer/make_stages.cpp.
/// Stages run in the order of these lines, on the thread of the call, so several threads may run one stage at once. The
/// observer is off while they run, so their ops are not observed. They must not change anything that the program can
/// see. After an exception, later stages skip the call, and `missing` counts the call. The results of earlier stages
/// stay in the record.
class Stage {
 public:
  virtual ~Stage() = default;

  /// Returns whether the stage looks at calls of this op. Called once for each op.
  virtual bool wants(const OpInfo&) const { return true; }

  /// Handles a call before the op runs. Returns the stage's state for the call; null if the stage skips the call.
  virtual std::unique_ptr<StageCall> begin(Call& call) = 0;

  /// Called when all calls whose results arrived together are complete. The session is locked.
  virtual void batch_completed() {}

  /// Called when a custom autograd function's forward has ended on this thread and its outputs have their autograd
  /// node.
  virtual void custom_function_ended() {}
};

}  // namespace ampprof::profiler

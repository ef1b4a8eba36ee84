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

/// Keeps what one stage wants of one call, until the call is recorded.
class StageCall {
 public:
  virtual ~StageCall() = default;

  /// Looks at the call after the op ran.
  virtual void after(Call& call) = 0;

  /// Returns false while figures of it are on a device. The call is recorded at the end of its step then.
  virtual bool is_complete() const { return true; }

  /// Takes the figures, which have come. Calls complete in their order; the session is locked.
  virtual void complete(PendingCall& /*call*/) {}

  /// Appends the call as a further run of the report has it. `record` is what the first run gets.
  virtual void add_further(const OpCall& /*record*/, std::vector<OpCall>& /*further*/) const {}
};

/// One thing that is learnt from every recorded op call.
///
/// A stage takes in its constructor what it uses, and keeps nothing of a call but what its StageCall owns. To add one:
/// a file in profiler/stages/, its maker in stages.h and a line in observer/make_stages.cpp. Stages run in the order of
/// that list, on the thread of the call, several threads at once; the observer is off while they run, so ops they call
/// are not seen. They must leave everything that the program can see as it was. After an exception no further stage
/// looks at the call, and `missing` counts it; what earlier ones put into the record stays.
class Stage {
 public:
  virtual ~Stage() = default;

  /// Returns whether calls of this op are of interest; asked once for each.
  virtual bool wants(const OpInfo&) const { return true; }

  /// Looks at a call before the op runs. Returns what it keeps of it; null where the rest is of no interest.
  virtual std::unique_ptr<StageCall> begin(Call& call) = 0;

  /// The calls whose figures have come together are all complete. The session is locked.
  virtual void batch_completed() {}

  /// The forward of a custom autograd function has ended on this thread: its outputs have their node now.
  virtual void custom_function_ended() {}
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ampprof::profiler {

struct Call;
struct PendingCall;
struct OpInfo;

/// One thing that is learnt from every recorded op call.
///
/// To add one: a file in profiler/stages/, its maker in stages.h and a line in make_stages(). Stages run in the order
/// of that list, on the thread of the call, several threads at once; the observer is off while they run, so ops they
/// call are not seen. They must leave everything that the program can see as it was. After an exception no further
/// stage looks at the call, and `missing` counts it; what earlier ones put into the record stays.
class Stage {
 public:
  virtual ~Stage() = default;
  /// Returns whether calls of this op are of interest; asked once for each.
  virtual bool wants(const OpInfo&) const { return true; }
  virtual void before(Call&) {}
  virtual void after(Call&) {}
  /// Gets the calls whose figures were still on a device in after(), now complete: at the end of a step, in order.
  /// The session is locked.
  virtual void completed(std::span<PendingCall>) {}
  /// The forward of a custom autograd function has ended on this thread: its outputs have their node now.
  virtual void custom_function_ended() {}
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/util/SmallVector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "precision/replay/tape/tape.h"

namespace ampprof::shadow {
class OtherProducts;
class Shadow;
}  // namespace ampprof::shadow

/// How a call goes on below the observer when a shadow or a tape follows it.
///
/// A composite op is let through with the observer's key on, so that the calls it makes arrive at the observer in turn;
/// only the leaf ops among them, which compute something, run once more on the shadow, and are put on the tape. What a
/// leaf op calls inside is a part of it, but for the casts that an autocast kernel puts before it: their results
/// outlive the call, in the cast cache and in the graph. None of this is seen by the stages: an inner call is no op
/// call of the program.
namespace ampprof::profiler {

/// Told of each leaf call that could not be followed, and why.
using Missed = c10::function_ref<void(const c10::OperatorHandle&, const std::string& reason)>;

/// Puts leaf calls on a tape.
class TapeRecorder {
 public:
  /// Before the call; empty where it is not taped.
  virtual std::optional<tape::TapedCall> prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack) = 0;
  virtual void add(tape::TapedCall prepared, c10::ArrayRef<c10::IValue> returned) = 0;

 protected:
  ~TapeRecorder() = default;
};

/// Says who follows a call beside a tape; null where nobody does.
struct Follower {
  shadow::Shadow* shadow = nullptr;
  /// Gives leaf calls other results on the shadow; without a shadow it sees what the program's are, and what it makes
  /// of them is dropped.
  shadow::OtherProducts* products = nullptr;
};

struct Followers {
  c10::SmallVector<Follower, 4> courses{};
  TapeRecorder* taper = nullptr;
};

struct Followed {
  std::int64_t leaves = 0;              ///< leaf calls that shadows ran
  std::int64_t overhead_ns = 0;         ///< time that it took for them
  std::vector<c10::IValue> works = {};  ///< what collectives began that keep it to themselves
};

/// Runs a call of the program.
Followed run_followed(Followers followers, Missed missed, const c10::OperatorHandle& op, c10::DispatchKeySet below,
                      torch::jit::Stack& stack);

/// Returns whether this thread is inside such a call.
bool inside_followed_call();
/// Runs a call that such a call made.
void run_inner(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);

}  // namespace ampprof::profiler

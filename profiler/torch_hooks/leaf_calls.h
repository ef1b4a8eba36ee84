// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// How a call goes on below the observer where somebody looks at its leaf ops.
///
/// A composite op is let through with the observer's key on, so that the calls it makes arrive at the observer in turn;
/// the leaf ops among them compute something. What a leaf op calls inside is a part of it, but for the casts that an
/// autocast kernel puts before it: their results outlive the call, in the cast cache and in the graph. None of this is
/// seen by the stages: an inner call is no op call of the program.
namespace ampprof::profiler {

/// A leaf call that somebody looks at, while it runs.
class LeafCall {
 public:
  virtual ~LeafCall() = default;
  virtual void after(c10::ArrayRef<c10::IValue> results) = 0;
};

/// Returns a leaf call that gives its results to `after(results)`.
template <typename After>
std::unique_ptr<LeafCall> when_leaf_ends(After after) {
  struct Ending final : LeafCall {
    explicit Ending(After work) : after_(std::move(work)) {}
    void after(c10::ArrayRef<c10::IValue> results) override { after_(results); }
    After after_;
  };
  return std::make_unique<Ending>(std::move(after));
}

/// Looks at the leaf ops of the program's calls. What it does is ampprof's own: its time does not count, and its
/// exceptions are not the program's.
class LeafObserver {
 public:
  /// Returns what it keeps of a call until that ran; null where it does not look at it. The arguments are on top of
  /// `stack`.
  virtual std::unique_ptr<LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) = 0;

  /// before() or LeafCall::after() threw. The call has run.
  virtual void failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue> results) = 0;

 protected:
  ~LeafObserver() = default;
};

/// Runs a call of the program and shows its leaf ops to `observers`. Returns the time that these took.
std::int64_t run_in_leaves(const std::vector<LeafObserver*>& observers, const c10::OperatorHandle& op,
                           c10::DispatchKeySet below, torch::jit::Stack& stack);

/// Returns whether this thread is inside such a call.
bool is_inside_leaves();

/// Runs a call that such a call made.
void run_inner(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Runs a call of the program so that LeafObservers see its leaf ops: ops that compute something themselves instead of
/// only calling other ops.
///
/// A composite op runs with the observer's dispatch key included, so that its inner calls are dispatched to the
/// fallback, too. Inner calls of a leaf op are part of the leaf op, except for casts that an autocast kernel inserts
/// before the op: the results of these casts outlive the call in autocast's cache and in the graph. Stages never see an
/// inner call, because it is not an op call of the program.
namespace ampprof::profiler {

/// A LeafObserver's state of a leaf call in progress.
class LeafCall {
 public:
  virtual ~LeafCall() = default;
  virtual void after(c10::ArrayRef<c10::IValue> results) = 0;
};

/// Returns a leaf call that passes its results to `after(results)`.
template <typename After>
std::unique_ptr<LeafCall> when_leaf_ends(After after) {
  struct Ending final : LeafCall {
    explicit Ending(After work) : after_(std::move(work)) {}
    void after(c10::ArrayRef<c10::IValue> results) override { after_(results); }
    After after_;
  };
  return std::make_unique<Ending>(std::move(after));
}

/// Observes the leaf ops of the program's calls. The time of an observer counts as ampprof's own. Exceptions of an
/// observer do not reach the program.
class LeafObserver {
 public:
  /// Returns the object whose after() is called after the op has run; null to skip the op. The arguments are on top of
  /// `stack`.
  virtual std::unique_ptr<LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) = 0;

  /// Called after before() or LeafCall::after() has thrown. The op has run.
  virtual void failed(const c10::OperatorHandle& op, const std::string& why, c10::ArrayRef<c10::IValue> results) = 0;

 protected:
  ~LeafObserver() = default;
};

/// Runs a call of the program and shows its leaf ops to `observers`. Returns the nanoseconds that the observers took.
std::int64_t run_in_leaves(const std::vector<LeafObserver*>& observers, const c10::OperatorHandle& op,
                           c10::DispatchKeySet below, torch::jit::Stack& stack);

/// Returns whether this thread is inside run_in_leaves().
bool is_inside_leaves();

/// Runs a call that was dispatched inside run_in_leaves().
void run_inner(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);

}  // namespace ampprof::profiler

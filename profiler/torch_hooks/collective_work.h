// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Names what c10d's ops take and give besides tensors: the group of ranks, the reduction, the work that is under way.
namespace ampprof::profiler {

/// Whether an op takes a group of ranks: one that waits for another op's work does not.
bool takes_group(const c10::FunctionSchema& schema);

struct GroupOfCall {
  std::string name{};       ///< "" where it has none
  std::int64_t size = 0;    ///< ranks in it; 0 where unknown
  std::string reduction{};  ///< "sum", "avg" …; "" where nothing is reduced
};

/// Returns the group that a call was given. Only before the op ran.
GroupOfCall group_of(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Whether an op gives back tensors and keeps the work that it begins to itself: a functional collective.
bool keeps_its_work(const c10::OperatorHandle& op);
/// Runs such an op, and leaves the works that the ops of c10d began which it called to take_works_begun().
void run_for_works(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);
/// Returns, once, the works of the last op that this thread ran for them.
std::vector<c10::IValue> take_works_begun();
/// Returns whether this thread is inside such an op.
bool inside_run_for_works();
/// Runs a call that such an op made.
void run_inner_for_works(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);

/// Calls `done` once, when what the call began is complete, or has failed, on whichever thread completes it, which may
/// be after the program has left main(): `done` may not throw, takes no lock that is held while LibTorch is called, and
/// holds nothing of the program's. Calls it at once where that is so already. A program that waits for the work waits
/// for `done` too. `results`: of the op after it ran, or one of those works. Does nothing where the last of
/// them is no work, or one that does not tell.
void when_done(c10::ArrayRef<c10::IValue> results, std::function<void()> done);

}  // namespace ampprof::profiler

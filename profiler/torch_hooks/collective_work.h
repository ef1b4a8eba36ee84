// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Reads from c10d's ops what they take and give besides tensors: the group of ranks, the reduction, the work in
/// progress.
namespace ampprof::profiler {

/// Returns whether an op takes a group of ranks. An op that waits for another op's work does not.
bool takes_group(const c10::FunctionSchema& schema);

struct GroupOfCall {
  std::string name{};       ///< "" without a name
  std::int64_t size = 0;    ///< number of ranks; 0 if unknown
  std::string reduction{};  ///< "sum", "avg" …; "" without a reduction
};

/// Returns the group of a call. Call it before the op runs.
GroupOfCall group_of(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Returns whether an op returns tensors and keeps the work that it begins to itself: a functional collective.
bool keeps_its_work(const c10::OperatorHandle& op);
/// Runs such an op, and stores the works of the c10d ops that it called for take_works_begun().
void run_for_works(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);
/// Returns, once, the works of the last op that this thread ran in run_for_works().
std::vector<c10::IValue> take_works_begun();
/// Returns whether this thread is inside such an op.
bool inside_run_for_works();
/// Runs a call that such an op made.
void run_inner_for_works(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);

/// Calls `done` once, when the work of a call is complete or has failed; at once if it is so already. It runs on the
/// thread that completes the work, perhaps after the program has left main(). So `done` must not throw, must not take a
/// lock that is held during calls of LibTorch, and must not hold objects of the program. A program that waits for the
/// work waits for `done` too. `results` are those of the op after it ran, or one of the works above. Does nothing if
/// the last of them is not a work, or a work without a future.
void when_done(c10::ArrayRef<c10::IValue> results, std::function<void()> done);

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Reads arguments and results of c10d's ops that are not tensors: process group, reduction, Work.
namespace ampprof::profiler {

/// Returns whether an op takes a process group. False for an op that only waits for another op's Work.
bool takes_group(const c10::FunctionSchema& schema);

struct GroupOfCall {
  std::string name{};       ///< name of the group; "" if it has none
  std::int64_t size = 0;    ///< number of ranks in the group; 0 if unknown
  std::string reduction{};  ///< "sum", "avg" …; "" if the op does not reduce
};

/// Returns the process group of a call. Call it before the op runs.
GroupOfCall group_of(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

/// Returns whether the op is a functional collective (_c10d_functional), which returns tensors but not its Work.
bool keeps_its_work(const c10::OperatorHandle& op);
/// Runs a functional collective. Keeps the Works of the c10d ops that it calls, for take_works_begun() to return.
void run_for_works(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);
/// Returns and clears the Works of the last op that this thread ran in run_for_works().
std::vector<c10::IValue> take_works_begun();
/// Returns whether this thread is inside run_for_works().
bool inside_run_for_works();
/// Runs a call that was dispatched inside run_for_works(), and keeps its Work.
void run_inner_for_works(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack& stack);

/// Calls `done` once, when the Work of a call is complete or has failed; at once if that is already so.
///
/// `results`: the op's results, or one Work from take_works_begun(). Does nothing if the last result is not a Work, or
/// is a Work without a future. `done` runs on the thread that completes the Work, perhaps after main() has returned. So
/// `done` must not throw, must not take a lock that is held during calls of LibTorch, and must not own objects of the
/// program. A program that waits for the Work also waits for `done`.
void when_done(c10::ArrayRef<c10::IValue> results, std::function<void()> done);

}  // namespace ampprof::profiler

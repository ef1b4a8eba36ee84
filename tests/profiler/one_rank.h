// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <utility>
#include <vector>

#include "amp_core/parallel/process_group.h"

namespace ampprof::profiler {

/// Makes a Gloo group over the loopback that contains only this process.
inline amp::parallel::ProcessGroup group_of_one(const std::string& name) {
  setenv("GLOO_SOCKET_IFNAME", "lo", /*overwrite=*/1);
  setenv("TORCH_FR_BUFFER_SIZE", "0", /*overwrite=*/1);  // disables the flight recorder: it supports one group only
  auto group = amp::parallel::make_group(c10::make_intrusive<c10d::HashStore>(), 0, 1,
                                         {.timeout = std::chrono::seconds(60), .store_file = {}});
  group->setGroupName(name);
  return group;
}

/// Returns the arguments of c10d::allreduce_.
inline torch::jit::Stack all_reduce_of(const std::vector<at::Tensor>& tensors, const amp::parallel::ProcessGroup& group,
                                       c10d::ReduceOp::RedOpType reduction = c10d::ReduceOp::SUM) {
  return {c10::IValue(tensors), c10::IValue(group), c10::IValue(c10::make_intrusive<c10d::ReduceOp>(reduction)),
          c10::IValue(),        c10::IValue(true),  c10::IValue(std::int64_t{-1})};
}

inline c10::OperatorHandle collective_op(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
}

/// Waits for the work that a call returned as its last result.
inline void wait_for_work(const torch::jit::Stack& results) { results.back().toCustomClass<c10d::Work>()->wait(); }

}  // namespace ampprof::profiler

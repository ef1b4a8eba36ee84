// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

/// The only function that libamp_core.so calls in libamp_core_nccl.so.
namespace amp::parallel {

using MakeNccl = void(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world_size,
                      std::chrono::milliseconds timeout, c10::intrusive_ptr<c10d::Backend>& made);

inline constexpr const char* kMakeNccl = "amp_core_make_nccl";

}  // namespace amp::parallel

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace amp::parallel {

/// Returns NCCL for a group, or null where there is no GPU, or no libamp_core_nccl.so beside libamp_core.so: that one
/// alone needs a LibTorch with CUDA, so it is loaded only then.
c10::intrusive_ptr<c10d::Backend> make_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world_size,
                                            std::chrono::milliseconds timeout);

}  // namespace amp::parallel

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace amp::parallel {

/// Gives a group what moves its tensors: Gloo those on the CPU, and those on GPUs where NCCL cannot; NCCL those on
/// GPUs. All ranks of the group call it. `GLOO_SOCKET_IFNAME` names the network interface of Gloo, as in PyTorch.
void add_backends(c10d::ProcessGroup& group, const c10::intrusive_ptr<c10d::Store>& store,
                  std::chrono::milliseconds timeout);

}  // namespace amp::parallel

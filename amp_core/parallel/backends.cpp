// SPDX-License-Identifier: Apache-2.0
#define USE_C10D_GLOO  // as LibTorch itself was built
#include "amp_core/parallel/backends.h"

#include <cstdlib>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "amp_core/parallel/nccl.h"

namespace amp::parallel {
namespace {

using c10d::ProcessGroupGloo;
using BackendType = c10d::ProcessGroup::BackendType;

c10::intrusive_ptr<c10d::Backend> make_gloo(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world_size,
                                            std::chrono::milliseconds timeout) {
  const auto options = ProcessGroupGloo::Options::create(timeout);
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  const bool is_named = interface != nullptr && *interface != '\0';
  options->devices.push_back(is_named ? ProcessGroupGloo::createDeviceForInterface(interface)
                                      : ProcessGroupGloo::createDefaultDevice());
  return c10::make_intrusive<ProcessGroupGloo>(store, rank, world_size, options);
}

c10::intrusive_ptr<c10d::Store> part_of(const c10::intrusive_ptr<c10d::Store>& store, const char* name) {
  return c10::make_intrusive<c10d::PrefixStore>(name, store);
}

}  // namespace

void add_backends(c10d::ProcessGroup& group, const c10::intrusive_ptr<c10d::Store>& store,
                  std::chrono::milliseconds timeout) {
  const int rank = group.getRank();
  const int world_size = group.getSize();
  const auto gloo = make_gloo(part_of(store, "gloo"), rank, world_size, timeout);
  group.setBackend(at::kCPU, BackendType::GLOO, gloo);
  const auto nccl = make_nccl(part_of(store, "nccl"), rank, world_size, timeout);
  group.setBackend(at::kCUDA, nccl ? BackendType::NCCL : BackendType::GLOO, nccl ? nccl : gloo);
  group.setDefaultBackend(nccl ? BackendType::NCCL : BackendType::GLOO);
}

}  // namespace amp::parallel

// SPDX-License-Identifier: Apache-2.0
#define USE_C10D_GLOO  // as LibTorch itself was built
#include "amp_core/parallel/backends.h"

#include <ATen/Context.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "amp_core/levels/error.h"
#include "amp_core/parallel/nccl_plugin.h"

namespace amp::parallel {
namespace {

constexpr const char* kLibrary = "libamp_core_nccl.so";

std::filesystem::path beside_this_library() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&beside_this_library), &here) == 0 || here.dli_fname == nullptr)
    return kLibrary;
  return std::filesystem::path(here.dli_fname).replace_filename(kLibrary);
}

/// Returns NCCL for a group, or null where there is no GPU, or no libamp_core_nccl.so beside libamp_core.so: that one
/// alone needs a LibTorch with CUDA, so it is loaded only then.
c10::intrusive_ptr<c10d::Backend> make_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world_size,
                                            std::chrono::milliseconds timeout) {
  if (!at::hasCUDA() || at::detail::getCUDAHooks().deviceCount() == 0) return nullptr;
  const std::filesystem::path library = beside_this_library();
  if (!exists(library)) return nullptr;
  void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays loaded: its objects live on
  if (loaded == nullptr) {
    throw Error("amp::parallel cannot load " + library.string() + ", which brings NCCL: " + dlerror());
  }
  const auto make = reinterpret_cast<MakeNccl*>(dlsym(loaded, kMakeNccl));
  if (make == nullptr) throw Error("amp::parallel: " + library.string() + " is of another amp_core: " + dlerror());
  c10::intrusive_ptr<c10d::Backend> backend;
  make(store, rank, world_size, timeout, backend);
  return backend;
}

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

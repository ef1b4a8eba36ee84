// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/nccl.h"

#include <ATen/Context.h>
#include <dlfcn.h>

#include <filesystem>

#include "amp_core/levels/error.h"
#include "amp_core/parallel/nccl_plugin.h"

namespace amp::parallel {
namespace {

constexpr const char* kLibrary = "libamp_core_nccl.so";

std::filesystem::path beside_this_library() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&make_nccl), &here) == 0 || here.dli_fname == nullptr) return kLibrary;
  return std::filesystem::path(here.dli_fname).replace_filename(kLibrary);
}

}  // namespace

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

}  // namespace amp::parallel

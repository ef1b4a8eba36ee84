// SPDX-License-Identifier: Apache-2.0
#include "precision/torch_hooks/free_memory.h"

#include <c10/core/DeviceGuard.h>
#include <dlfcn.h>

#include <stdexcept>

namespace ampprof::torch_hooks {
namespace {

/// Asks the driver for the free memory, in the device's context that LibTorch has created.
[[maybe_unused]] std::int64_t of_driver(c10::DeviceIndex gpu) {
  using GetInfo = int (*)(std::size_t* free, std::size_t* total);
  static void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  static const auto get_info =
      driver == nullptr ? nullptr : reinterpret_cast<GetInfo>(dlsym(driver, "cuMemGetInfo_v2"));
  const c10::DeviceGuard on_gpu(c10::Device(c10::DeviceType::CUDA, gpu));
  std::size_t free = 0;
  std::size_t total = 0;
  if (get_info == nullptr || get_info(&free, &total) != 0)
    throw std::runtime_error("the CUDA driver does not report the free memory of the GPU");
  return static_cast<std::int64_t>(free);
}

/// In LibTorch 2.9 an allocator does not return the free memory, so the driver is asked instead.
template <class Allocator>
std::int64_t free_of(Allocator& allocator, c10::DeviceIndex gpu) {
  if constexpr (requires { allocator.getMemoryInfo(gpu); }) {
    return static_cast<std::int64_t>(allocator.getMemoryInfo(gpu).first);
  } else {
    return of_driver(gpu);
  }
}

}  // namespace

std::int64_t free_memory(c10::DeviceAllocator& allocator, c10::DeviceIndex gpu) { return free_of(allocator, gpu); }

}  // namespace ampprof::torch_hooks

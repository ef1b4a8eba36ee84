// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Device.h>

#include <cstdint>

namespace ampprof::torch_hooks {

/// Returns the free bytes of a GPU according to the driver. Throws if neither the allocator nor the driver returns a
/// number.
std::int64_t free_memory(c10::DeviceAllocator& allocator, c10::DeviceIndex gpu);

}  // namespace ampprof::torch_hooks

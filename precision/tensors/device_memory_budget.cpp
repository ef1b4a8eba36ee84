// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/device_memory_budget.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <chrono>
#include <limits>

#include "precision/torch_hooks/free_memory.h"

namespace ampprof::tensors {
namespace {

constexpr std::int64_t kKnownFor = 20'000'000;  // ns for which an answer is valid; other processes allocate too
constexpr UnusedMemory kUnbounded{.free = std::numeric_limits<std::int64_t>::max() / 4, .cached = 0};

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t current(const c10::CachingAllocator::StatArray& of_pools) {
  return of_pools[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)].current;
}

c10::DeviceAllocator* allocator_of_gpus() {
  auto* allocator = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(c10::DeviceType::CUDA));
  return allocator != nullptr && allocator->initialized() ? allocator : nullptr;
}

c10::CachingAllocator::Stat allocated_bytes(c10::DeviceIndex gpu) {
  c10::DeviceAllocator* allocator = allocator_of_gpus();
  if (allocator == nullptr) return {};
  try {
    return allocator->getDeviceStats(gpu)
        .allocated_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
  } catch (const std::exception&) {  // a custom allocator without statistics
    return {};
  }
}

}  // namespace

std::int64_t DeviceMemoryBudget::allocated(c10::DeviceIndex gpu) const { return allocated_bytes(gpu).current; }

std::int64_t DeviceMemoryBudget::peak_allocated(c10::DeviceIndex gpu) const { return allocated_bytes(gpu).peak; }

UnusedMemory DeviceMemoryBudget::unused(c10::DeviceIndex gpu) {
  c10::DeviceAllocator* allocator = allocator_of_gpus();
  if (allocator == nullptr) return kUnbounded;
  try {
    const c10::CachingDeviceAllocator::DeviceStats stats = allocator->getDeviceStats(gpu);
    const std::lock_guard lock(mutex_);
    Asked& asked = asked_.at(static_cast<std::size_t>(gpu));
    const std::int64_t turns = stats.num_device_alloc + stats.num_device_free;
    if (asked.turns != turns || now_ns() - asked.at_ns > kKnownFor) {
      asked = {turns, now_ns(), torch_hooks::free_memory(*allocator, gpu)};
    }
    return {asked.free,
            current(stats.reserved_bytes) - current(stats.active_bytes) - current(stats.inactive_split_bytes)};
  } catch (const std::exception&) {  // a custom allocator without statistics
    return kUnbounded;
  }
}

}  // namespace ampprof::tensors

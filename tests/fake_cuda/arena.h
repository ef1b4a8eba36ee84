// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

/// Memory of the fake devices. As on a GPU, a program that dereferences such a pointer on the host faults. Host twins
/// of kernels reach the same bytes through a second mapping.
namespace fake_cuda::arena {

enum class Kind { Device, Pinned, Registered };

struct Block {
  void* start;
  std::size_t size;
  Kind kind;
  int device;
};

/// Returns zeroed memory of this kind, aligned to 2 MiB (device) or a page (pinned), or null if the device is full.
void* allocate(Kind kind, int device, std::size_t bytes);
/// Frees the block that begins at `start`. Returns false if there is none.
bool release(void* start);
/// Registers memory that the program allocated itself, until release().
void register_host_memory(void* start, std::size_t bytes, int device);

/// Returns the block that contains an address, or nothing for other host memory.
std::optional<Block> block_of(const void* address);
/// Returns how many bytes of a device are allocated.
std::size_t used(int device);

/// Returns an address at which the host can access the byte at `address`: for device memory, in the second mapping.
void* on_host(const void* address);

template <typename T>
T* on_host(T* address) {
  return static_cast<T*>(on_host(static_cast<const void*>(address)));
}

}  // namespace fake_cuda::arena

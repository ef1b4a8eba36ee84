// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

/// Memory of the devices. A program's pointers to it fault on the host, as those of a GPU do. Host twins of kernels
/// reach the same bytes through a second mapping.
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
/// Frees a block. Returns whether `start` was the start of one.
bool release(void* start);
/// Registers the program's own memory, until it is released.
void enroll(void* start, std::size_t bytes, int device);

/// Returns the block of an address, or nothing for other host memory.
std::optional<Block> block_of(const void* address);
/// Returns how many bytes of a device are allocated.
std::size_t used(int device);

/// Returns the host's address of the byte at `address`: in the second mapping for device memory.
void* on_host(const void* address);

template <typename T>
T* on_host(T* address) {
  return static_cast<T*>(on_host(static_cast<const void*>(address)));
}

}  // namespace fake_cuda::arena

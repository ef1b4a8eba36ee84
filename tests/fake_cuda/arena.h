// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

/// Memory of the devices. A program's pointers into it fault when the host follows them, as those of a GPU do; host
/// twins of kernels reach the same bytes through a second mapping.
namespace fake_cuda::arena {

enum class Kind { Device, Pinned, Registered };

struct Block {
  void* start;
  std::size_t size;
  Kind kind;
  int device;
};

/// Returns memory of this kind, zeroed, aligned to 2 MiB (device) or a page (pinned); null where the device is full.
void* allocate(Kind kind, int device, std::size_t bytes);
/// Whether this was the start of a block, which is gone now.
bool release(void* start);
/// Takes memory of the program's own as registered, until it is released.
void enroll(void* start, std::size_t bytes, int device);

/// Returns the block that holds this address; empty for any other memory of the host.
std::optional<Block> block_of(const void* address);
/// Returns bytes of this device that are allocated.
std::size_t used(int device);

/// Returns where the host finds the byte that is at `address`: in the second mapping for device memory.
void* on_host(const void* address);

template <typename T>
T* on_host(T* address) {
  return static_cast<T*>(on_host(static_cast<const void*>(address)));
}

}  // namespace fake_cuda::arena

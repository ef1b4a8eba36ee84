// SPDX-License-Identifier: Apache-2.0
// Allocation and copies.
#include <cuda_runtime_api.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "tests/fake_cuda/arena.h"
#include "tests/fake_cuda/counts.h"
#include "tests/fake_cuda/fake_cuda.h"
#include "tests/fake_cuda/settings.h"
#include "tests/fake_cuda/streams.h"

using namespace fake_cuda;

namespace {

bool is_pageable(const void* address) { return !arena::block_of(address).has_value(); }

bool is_on_device(const void* address) {
  const auto block = arena::block_of(address);
  return block && block->kind == arena::Kind::Device;
}

cudaError_t allocated(void** start, std::size_t bytes, arena::Kind kind) {
  *start = nullptr;
  if (const cudaError_t error = check_device(current_device())) return answered(error);
  if (breaks_a_capture()) return answered(cudaErrorStreamCaptureUnsupported);
  if (bytes == 0) return cudaSuccess;
  *start = arena::allocate(kind, current_device(), bytes);
  return *start == nullptr ? answered(cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t allocated_on_device(void** start, std::size_t bytes) {
  static Count& count = count_of("device allocations");
  ++count;
  return allocated(start, bytes, arena::Kind::Device);
}

cudaError_t released(void* start) {
  if (start == nullptr) return cudaSuccess;
  work::wait_for_all();  // waits, as cudaFree does
  return arena::release(start) ? cudaSuccess : answered(cudaErrorInvalidValue);
}

void count_copy(const void* to, bool is_blocking) {
  static Count& copies = count_of("copies");
  static Count& to_host = count_of("copies to the host");
  static Count& blocking = count_of("blocking copies");
  ++copies;
  if (!is_on_device(to)) ++to_host;
  if (is_blocking) ++blocking;
}

work::Work copy_of(void* to, const void* from, std::size_t bytes) {
  return [=] { std::memmove(arena::on_host(to), arena::on_host(from), bytes); };
}

/// Enqueues a write. Does nothing to device memory if no kernel computes, so that the memory stays zero.
void enqueue_write(cudaStream_t stream, const char* name, const void* to, work::Work write) {
  const bool is_lost = settings().computing == Computing::None && is_on_device(to);
  enqueue(stream, name, is_lost ? work::Work{} : std::move(write));
}

/// Copies as the driver does: when the call returns, a copy from pageable memory is staged, and a copy to pageable
/// memory is complete.
cudaError_t copied(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const bool waits = is_pageable(to) && stream_of(stream).capture == nullptr;
  count_copy(to, waits);
  if (is_pageable(from)) {
    const auto* first = static_cast<const std::byte*>(from);
    auto staged = std::make_shared<std::vector<std::byte>>(first, first + bytes);
    enqueue_write(stream, "memcpy", to, [=] { std::memcpy(arena::on_host(to), staged->data(), staged->size()); });
  } else {
    enqueue_write(stream, "memcpy", to, copy_of(to, from, bytes));
  }
  if (waits) work::wait_for(stream_of(stream).last);
  return cudaSuccess;
}

cudaError_t set(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  enqueue_write(stream, "memset", to, [=] { std::memset(arena::on_host(to), value, bytes); });
  return cudaSuccess;
}

}  // namespace

FAKE_CUDA_API int fake_cuda_peek(const void* device, void* into, unsigned long bytes) {
  if (!is_on_device(device)) return 0;
  std::memcpy(into, arena::on_host(device), bytes);
  return 1;
}

FAKE_CUDA_API cudaError_t cudaMalloc(void** start, std::size_t bytes) {
  FAKE_CUDA_COUNTED;
  return allocated_on_device(start, bytes);
}

FAKE_CUDA_API cudaError_t cudaMallocAsync(void** start, std::size_t bytes, cudaStream_t) {
  FAKE_CUDA_COUNTED;
  return allocated_on_device(start, bytes);
}

FAKE_CUDA_API cudaError_t cudaFree(void* start) {
  FAKE_CUDA_COUNTED;
  return released(start);
}

FAKE_CUDA_API cudaError_t cudaFreeAsync(void* start, cudaStream_t) {
  FAKE_CUDA_COUNTED;
  return released(start);
}

FAKE_CUDA_API cudaError_t cudaHostAlloc(void** start, std::size_t bytes, unsigned) {
  FAKE_CUDA_COUNTED;
  return allocated(start, bytes, arena::Kind::Pinned);
}

FAKE_CUDA_API cudaError_t cudaMallocHost(void** start, std::size_t bytes) {
  FAKE_CUDA_COUNTED;
  return allocated(start, bytes, arena::Kind::Pinned);
}

FAKE_CUDA_API cudaError_t cudaFreeHost(void* start) {
  FAKE_CUDA_COUNTED;
  return released(start);
}

FAKE_CUDA_API cudaError_t cudaHostRegister(void* start, std::size_t bytes, unsigned) {
  FAKE_CUDA_COUNTED;
  arena::register_host_memory(start, bytes, current_device());
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaHostUnregister(void* start) {
  FAKE_CUDA_COUNTED;
  return released(start);
}

FAKE_CUDA_API cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  FAKE_CUDA_COUNTED;
  *device = host;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  FAKE_CUDA_COUNTED;
  *total = settings().memory;
  *free = settings().memory - arena::used(current_device());
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
  FAKE_CUDA_COUNTED;
  const auto block = arena::block_of(address);
  void* const pointer = const_cast<void*>(address);
  *attributes = {};
  if (!block) {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = cudaInvalidDeviceId;
    attributes->hostPointer = pointer;
    return cudaSuccess;
  }
  const bool on_device = block->kind == arena::Kind::Device;
  attributes->type = on_device ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
  attributes->device = block->device;
  attributes->devicePointer = pointer;
  attributes->hostPointer = on_device ? nullptr : pointer;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  FAKE_CUDA_COUNTED;
  if (breaks_a_capture()) return answered(cudaErrorStreamCaptureImplicit);
  const bool waits_by_itself = is_pageable(to);
  const cudaError_t error = copied(to, from, bytes, nullptr);
  if (!waits_by_itself) count_of("blocking copies")++;
  work::wait_for_all();
  return error;
}

FAKE_CUDA_API cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                                          cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  return copied(to, from, bytes, stream);
}

FAKE_CUDA_API cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                              cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  return copied(to, from, bytes, stream);
}

FAKE_CUDA_API cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                            std::size_t width, std::size_t height, cudaMemcpyKind,
                                            cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  for (std::size_t row = 0; row < height; ++row) {
    copied(static_cast<std::byte*>(to) + row * to_pitch, static_cast<const std::byte*>(from) + row * from_pitch, width,
           stream);
  }
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  FAKE_CUDA_COUNTED;
  return set(to, value, bytes, nullptr);
}

FAKE_CUDA_API cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  return set(to, value, bytes, stream);
}

// All devices have one memory pool, which is always empty.
FAKE_CUDA_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  FAKE_CUDA_COUNTED;
  static char only;
  *pool = reinterpret_cast<cudaMemPool_t>(&only);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
  FAKE_CUDA_COUNTED;
  *static_cast<std::uint64_t*>(value) = 0;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
  FAKE_CUDA_COUNTED;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, std::size_t) {
  FAKE_CUDA_COUNTED;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) {
  FAKE_CUDA_COUNTED;
  return cudaSuccess;
}

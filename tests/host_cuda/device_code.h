// SPDX-License-Identifier: Apache-2.0
#pragma once

// Defines the CUDA language on the CPU. Include this before a .cu file.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "tests/host_cuda/host_cuda.h"

extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

// One section contains all shared memory, so that run() can fill it before each block. GCC ignores the attribute in
// templates, so a template kernel calls a function without template parameters that declares its shared memory.
#undef __shared__
#define __shared__ [[gnu::section("cuda_shared")]] static
#undef __launch_bounds__
#define __launch_bounds__(...)

namespace ampprof::host_cuda {

inline constexpr unsigned kWarp = 32;

/// One value for each lane of a warp.
using Values = std::array<std::uint64_t, kWarp>;

/// A point where the lanes of a mask meet, and the computation of each lane's result.
struct Collective {
  const char* name;
  unsigned mask;
  unsigned argument;  ///< this lane's own argument, such as the lane from which a shuffle reads
  std::uint64_t (*result)(const Values& given, unsigned mask, unsigned lane, unsigned argument);
};

/// Waits for all lanes in the mask. Returns the result for this lane.
std::uint64_t meet(const Collective& collective, std::uint64_t given);
/// Waits for all threads of the block that have not exited.
void meet_block();
/// Waits until no lane of the warp can run. Returns the mask of the lanes that wait here.
unsigned meet_active();

inline std::uint64_t given_by(const Values& given, unsigned mask, unsigned lane) {
  if ((mask >> lane & 1U) == 0) throw std::logic_error("a shuffle reads a lane that its mask does not name");
  return given[lane];
}

template <typename T>
std::uint64_t packed(T value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <typename T>
T unpacked(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace ampprof::host_cuda

template <typename T>
T __shfl_sync(unsigned mask, T value, unsigned from) {
  using namespace ampprof::host_cuda;
  return unpacked<T>(
      meet({"__shfl_sync", mask, from % kWarp,
            [](const Values& given, unsigned mask, unsigned, unsigned from) { return given_by(given, mask, from); }},
           packed(value)));
}

template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance) {
  using namespace ampprof::host_cuda;
  return unpacked<T>(meet({"__shfl_down_sync", mask, distance,
                           [](const Values& given, unsigned mask, unsigned lane, unsigned distance) {
                             return lane + distance < kWarp ? given_by(given, mask, lane + distance) : given[lane];
                           }},
                          packed(value)));
}

template <typename T>
unsigned __match_any_sync(unsigned mask, T value) {
  using namespace ampprof::host_cuda;
  return unpacked<unsigned>(meet({"__match_any_sync", mask, 0,
                                  [](const Values& given, unsigned mask, unsigned lane, unsigned) {
                                    std::uint64_t equal = 0;
                                    for (unsigned other = 0; other < kWarp; ++other) {
                                      equal |= std::uint64_t{given[other] == given[lane]} << other;
                                    }
                                    return equal & mask;
                                  }},
                                 packed(value)));
}

inline void __syncwarp(unsigned mask = 0xffffffff) {
  using namespace ampprof::host_cuda;
  meet({"__syncwarp", mask, 0, [](const Values&, unsigned, unsigned, unsigned) { return std::uint64_t{0}; }}, 0);
}

inline void __syncthreads() { ampprof::host_cuda::meet_block(); }
inline unsigned __activemask() { return ampprof::host_cuda::meet_active(); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
using std::max;
using std::min;
inline int __popc(unsigned value) { return std::popcount(value); }

// Fibers are never interrupted, so any addition is atomic.
template <typename T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  const T before = *address;
  *address = before + value;
  return before;
}

template <typename T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  const T before = *address;
  *address = std::max(before, value);
  return before;
}

template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               const Arguments&... arguments) {
  ampprof::host_cuda::run([&] { kernel(arguments...); }, config->gridDim, config->blockDim);
  return cudaSuccess;
}

template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int threads, std::size_t bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), threads, bytes);
}

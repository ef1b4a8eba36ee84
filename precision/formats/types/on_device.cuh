// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <string>

#include "precision/formats/types/elements.h"
#include "reports/records/sketch.h"

/// Common parts of all kernels: element types, warps, launches. Included only by .cu files.
namespace ampprof::error::cuda {

constexpr int kWarp = 32;
constexpr int kWarps = 8;
constexpr int kThreads = kWarp * kWarps;  ///< threads per block
constexpr unsigned kAllLanes = 0xffffffff;
constexpr int kEight = 8;              ///< elements that a lane processes per turn
constexpr int kUnit = kWarp * kEight;  ///< elements that a warp processes per turn

template <typename T>
__device__ T widened(T value) {
  return value;
}
__device__ inline float widened(__half value) { return __half2float(value); }
__device__ inline float widened(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ inline float widened(__nv_fp8_e4m3 value) { return static_cast<float>(value); }
__device__ inline float widened(__nv_fp8_e5m2 value) { return static_cast<float>(value); }

__device__ inline int lane_of_thread() { return static_cast<int>(threadIdx.x) % kWarp; }
__device__ inline int warp_of_block() { return static_cast<int>(threadIdx.x) / kWarp; }
__device__ inline long long warp_of_grid() { return static_cast<long long>(blockIdx.x) * kWarps + warp_of_block(); }
__device__ inline long long warps_of_grid() { return static_cast<long long>(gridDim.x) * kWarps; }

/// Reduces over a warp with `join`; the first lane receives the result.
template <typename T, typename Join>
__device__ T over_warp(T value, Join join) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value = join(value, __shfl_down_sync(kAllLanes, value, distance));
  }
  return value;
}

template <typename T>
__device__ T sum_of_warp(T value) {
  return over_warp(value, [](T a, T b) { return a + b; });
}

/// Makes a device current on this thread and restores the previous device in the destructor.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    cudaGetDevice(&before_);
    if (device != before_) cudaSetDevice(device);
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

/// The device and stream of a kernel.
struct Queue {
  int device;
  void* stream;  ///< a cudaStream_t of that device
};

/// Enqueues a kernel for `size` elements, with enough blocks to fill the device but none without work. Returns CUDA's
/// error; "" on success.
template <typename... Parameters>
std::string launch(void (*kernel)(Parameters...), long long size, Queue queue, Parameters... arguments) {
  const OnDevice on_device(queue.device);
  int processors = 1;
  int resident = 1;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, queue.device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kThreads, 0);
  const long long units = (size + kUnit - 1) / kUnit;
  const long long most = static_cast<long long>(processors) * std::max(resident, 1);
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>(std::clamp<long long>((units + kWarps - 1) / kWarps, 1, most));
  config.blockDim = kThreads;
  config.stream = static_cast<cudaStream_t>(queue.stream);
  const bool program_had_error = cudaPeekAtLastError() != cudaSuccess;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);
  if (error == cudaSuccess) return "";
  if (!program_had_error) cudaGetLastError();  // the program's next cudaGetLastError() must not return our error
  return cudaGetErrorString(error);
}

/// Calls `visit` with a typed pointer to the elements. Returns its result.
template <typename Visit>
auto with_type(const Elements& elements, Visit visit) {
  switch (elements.dtype) {
    case DType::Half:
      return visit(static_cast<const __half*>(elements.data));
    case DType::BFloat16:
      return visit(static_cast<const __nv_bfloat16*>(elements.data));
    case DType::Float8E4M3:
      return visit(static_cast<const __nv_fp8_e4m3*>(elements.data));
    case DType::Float8E5M2:
      return visit(static_cast<const __nv_fp8_e5m2*>(elements.data));
    case DType::Double:
      return visit(static_cast<const double*>(elements.data));
    default:
      return visit(static_cast<const float*>(elements.data));
  }
}

}  // namespace ampprof::error::cuda

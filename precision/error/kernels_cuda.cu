// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>

#include "precision/error/kernels_cuda.h"

namespace ampprof::error::cuda {
namespace {

constexpr int kWarp = 32;
constexpr int kWarps = 8;
constexpr int kThreads = kWarp * kWarps;
constexpr int kBins = static_cast<int>(ExponentHistogram::kBins);
constexpr long long kElementsPerThread = 8;  // at least, before there are more blocks
constexpr unsigned kAllLanes = 0xffffffff;

__device__ double widened(double value) { return value; }
__device__ double widened(float value) { return value; }
__device__ double widened(__half value) { return __half2float(value); }
__device__ double widened(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ double widened(__nv_fp8_e4m3 value) { return static_cast<float>(value); }
__device__ double widened(__nv_fp8_e5m2 value) { return static_cast<float>(value); }

/// The sum, or the largest, over a warp in its first lane.
template <typename T, typename Join>
__device__ T over_warp(T value, Join join) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value = join(value, __shfl_down_sync(kAllLanes, value, distance));
  }
  return value;
}

__device__ void add_warp_to(Accumulator& block, const Accumulator& mine) {
  const auto sum = [](auto a, auto b) { return a + b; };
  const auto larger = [](auto a, auto b) { return b > a ? b : a; };
  const bool is_first = threadIdx.x % kWarp == 0;
  for (int i = 0; i < Accumulator::kCounts; ++i) {
    const auto count = over_warp(mine.counts[i], sum);
    if (is_first && count != 0) atomicAdd(&block.counts[i], count);
  }
  for (int i = 0; i < Accumulator::kLargests; ++i) {
    const auto largest = over_warp(mine.largests[i], larger);
    if (is_first && largest != 0) atomicMax(&block.largests[i], largest);
  }
  for (int i = 0; i < Accumulator::kSums; ++i) {
    const double total = over_warp(mine.sums[i], sum);
    if (is_first && total != 0) atomicAdd(&block.sums[i], total);
  }
}

/// By the first threads of a block, one number each.
__device__ void add_block_to(AccumulatorWithExponents& whole, const Accumulator& block,
                             const unsigned (&exponents)[kWarps][kBins]) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < Accumulator::kCounts && block.counts[i] != 0) atomicAdd(&whole.accumulator.counts[i], block.counts[i]);
  if (i < Accumulator::kLargests && block.largests[i] != 0) atomicMax(&whole.accumulator.largests[i], block.largests[i]);
  if (i < Accumulator::kSums && block.sums[i] != 0) atomicAdd(&whole.accumulator.sums[i], block.sums[i]);
  if (i >= kBins) return;
  unsigned long long values = 0;
  for (const auto& warp : exponents) values += warp[i];
  if (values != 0) atomicAdd(&whole.exponents[i], values);
}

/// Lanes of one exponent count as one: values lie close together, and their atomics would wait for each other.
__device__ void count_exponent(unsigned (&exponents)[kBins], int bin) {
  const unsigned active = __activemask();
  const unsigned same = __match_any_sync(active, bin);
  const int first = __ffs(static_cast<int>(same)) - 1;
  if (bin != kNoBin && static_cast<int>(threadIdx.x) % kWarp == first) atomicAdd(&exponents[bin], __popc(same));
}

template <typename Y, typename R>
__global__ void __launch_bounds__(kThreads)
    measure(const Y* output, const R* reference, long long size, Spacing spacing, AccumulatorWithExponents* into) {
  __shared__ Accumulator block;
  __shared__ unsigned exponents[kWarps][kBins];
  for (int i = static_cast<int>(threadIdx.x); i < kWarps * kBins; i += kThreads) exponents[i / kBins][i % kBins] = 0;
  if (threadIdx.x == 0) block = {};
  __syncthreads();

  Accumulator mine{};
  const long long stride = static_cast<long long>(gridDim.x) * kThreads;
  for (long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x; i < size; i += stride) {
    const double y = widened(output[i]);
    const double r = reference == nullptr ? y : widened(reference[i]);
    add_output(mine, y);
    if (reference != nullptr) add_error(mine, y, r, spacing);
    count_exponent(exponents[threadIdx.x / kWarp], add_reference(mine, r));
  }
  __syncwarp();
  add_warp_to(block, mine);
  __syncthreads();
  add_block_to(*into, block, exponents);
}

/// Enough blocks to fill the device, but none without work.
unsigned blocks_for(long long size, int device) {
  int processors = 1;
  int resident = 1;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, measure<float, float>, kThreads, 0);
  const long long wanted = (size + kThreads * kElementsPerThread - 1) / (kThreads * kElementsPerThread);
  return static_cast<unsigned>(std::clamp<long long>(wanted, 1, static_cast<long long>(processors) * resident));
}

template <typename Y, typename R>
void launch(Elements output, Elements reference, Spacing spacing, AccumulatorWithExponents* into, int device,
            cudaStream_t stream) {
  const auto size = static_cast<long long>(output.size);
  measure<<<blocks_for(size, device), kThreads, 0, stream>>>(
      static_cast<const Y*>(output.data), static_cast<const R*>(reference.data), size, spacing, into);
}

template <typename R>
void launch_for_output(Elements output, Elements reference, Spacing spacing, AccumulatorWithExponents* into, int device,
                       cudaStream_t stream) {
  switch (output.dtype) {
    case DType::Half:
      return launch<__half, R>(output, reference, spacing, into, device, stream);
    case DType::BFloat16:
      return launch<__nv_bfloat16, R>(output, reference, spacing, into, device, stream);
    case DType::Float8E4M3:
      return launch<__nv_fp8_e4m3, R>(output, reference, spacing, into, device, stream);
    case DType::Float8E5M2:
      return launch<__nv_fp8_e5m2, R>(output, reference, spacing, into, device, stream);
    case DType::Double:
      return launch<double, R>(output, reference, spacing, into, device, stream);
    default:
      return launch<float, R>(output, reference, spacing, into, device, stream);
  }
}

/// The device that is current on this thread, put back at the end.
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

}  // namespace

std::string launch_measure(Elements output, Elements reference, Spacing spacing, AccumulatorWithExponents* into, int device,
                           void* stream) {
  if (output.size == 0) return "";
  const OnDevice on_device(device);
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  if (reference.dtype == DType::Double) {
    launch_for_output<double>(output, reference, spacing, into, device, cuda_stream);
  } else {
    launch_for_output<float>(output, reference, spacing, into, device, cuda_stream);
  }
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

}  // namespace ampprof::error::cuda

// SPDX-License-Identifier: Apache-2.0
#include "precision/error/measure.cuh"
#include "precision/sketch/hash.h"
#include "precision/sketch/kernels_cuda.h"
#include "precision/sketch/sketch.h"

namespace ampprof::sketch::cuda {

using error::Elements;
using error::cuda::kAllLanes;
using error::cuda::kThreads;
using error::cuda::kUnit;
using error::cuda::kWarp;
using error::cuda::lane_of_thread;
using error::cuda::Queue;
using error::cuda::sum_of_warp;
using error::cuda::warp_of_grid;
using error::cuda::warps_of_grid;

constexpr int kSumsOfLane = static_cast<int>(kBlock) / kWarp;
constexpr int kBlocksOfUnit = kUnit / static_cast<int>(kBlock);

/// The bits of a tensor as 32-bit words. The last word is padded with zeros.
struct Words {
  const unsigned char* bytes;
  unsigned long long size;  ///< number of bytes
  std::uint32_t start;      ///< index of the first word
  bool is_aligned;

  __device__ unsigned long long count() const { return (size + 3) / 4; }

  /// Returns the word times its factor.
  __device__ std::uint64_t term(unsigned long long i) const {
    std::uint32_t word = 0;
    if (is_aligned && 4 * i + 4 <= size) {
      word = reinterpret_cast<const std::uint32_t*>(bytes)[i];
    } else {
      for (unsigned j = 0; j < 4 && 4 * i + j < size; ++j) word |= std::uint32_t{bytes[4 * i + j]} << 8 * j;
    }
    return word * factor_of(start + static_cast<std::uint32_t>(i));
  }
};

static Words words_of(const void* data, unsigned long long size, std::uint64_t first_byte) {
  return {static_cast<const unsigned char*>(data), size, static_cast<std::uint32_t>(first_byte / 4),
          reinterpret_cast<std::uintptr_t>(data) % 4 == 0};
}

/// Sums over the threads of a block.
struct BlockSketch {
  double sums[kBlock];
  double sum_sq;
  unsigned long long nonfinite;
  unsigned long long checksum;
};

__device__ static BlockSketch& shared_sketch() {
  __shared__ BlockSketch memory;
  return memory;
}

/// The sums of one lane. A warp processes one unit at a time. In each block a lane adds the values that belong to its
/// sums.
template <typename Y>
class SketchLane {
 public:
  struct Output;

  __device__ explicit SketchLane(const Output& output) : output_(output) {
    BlockSketch& block = shared_sketch();
    if (threadIdx.x < kBlock) block.sums[threadIdx.x] = 0;
    if (threadIdx.x == 0) block.sum_sq = block.nonfinite = block.checksum = 0;
    __syncthreads();
  }

  __device__ void add_unit(long long first) { add(first, kUnit); }
  __device__ void add_rest(long long first, int count) { add(first, count); }

  /// Adds the lane's sums to those of the block. All threads of the block must call this function.
  __device__ void finish() {
    BlockSketch& block = shared_sketch();
    for (int i = 0; i < kSumsOfLane; ++i) atomicAdd(&block.sums[sum_of_lane(i)], sums_[i]);
    const double sum_sq = sum_of_warp(sum_sq_);
    const unsigned nonfinite = sum_of_warp(nonfinite_);
    const unsigned long long checksum = sum_of_warp(checksum_);
    if (lane_of_thread() == 0) {
      atomicAdd(&block.sum_sq, sum_sq);
      atomicAdd(&block.nonfinite, nonfinite);
      atomicAdd(&block.checksum, checksum);
    }
    __syncthreads();
    DeviceSketch& into = *output_.into;
    if (threadIdx.x < kBlock && block.sums[threadIdx.x] != 0)
      atomicAdd(&into.sums[threadIdx.x], block.sums[threadIdx.x]);
    if (threadIdx.x != 0) return;
    atomicAdd(&into.sum_sq, block.sum_sq);
    if (block.nonfinite != 0) atomicAdd(&into.nonfinite, block.nonfinite);
    atomicAdd(&into.checksum, block.checksum);
  }

 private:
  __device__ static int sum_of_lane(int i) { return lane_of_thread() + i * kWarp; }

  /// Adds `count` values. The lanes share the hashing: each computes one word for all lanes.
  __device__ void add(long long first, int count) {
    const std::uint64_t number = (output_.start + first) / kBlock;
    const std::uint64_t hash = mixed(2 * number + lane_of_thread() % (2 * kBlocksOfUnit));
#pragma unroll
    for (int i = 0; i < kBlocksOfUnit; ++i) {
      const std::uint64_t signs = __shfl_sync(kAllLanes, hash, 2 * i);
      const unsigned turn = __shfl_sync(kAllLanes, static_cast<unsigned>(hash), 2 * i + 1);
      add_block(first + i * static_cast<int>(kBlock), count - i * static_cast<int>(kBlock), signs, turn);
    }
    const unsigned long long begin = first * sizeof(Y) / 4;
    const unsigned long long end = (static_cast<unsigned long long>(first + count) * sizeof(Y) + 3) / 4;
    for (auto i = begin + lane_of_thread(); i < end; i += kWarp) checksum_ += output_.words.term(i);
  }

  __device__ void add_block(long long first, int count, std::uint64_t signs, unsigned turn) {
#pragma unroll
    for (int i = 0; i < kSumsOfLane; ++i) {
      const int place = static_cast<int>((turn + sum_of_lane(i)) % kBlock);
      const double read = place < count ? error::cuda::widened(output_.values[first + place]) : 0.0;
      const bool is_finite = fabs(read) <= kLargest;
      const double value = is_finite ? read : 0.0;
      nonfinite_ += is_finite ? 0 : 1;
      sum_sq_ += value * value;
      sums_[i] += signs >> sum_of_lane(i) & 1 ? -value : value;
    }
  }

  static constexpr double kLargest = 0x1.fffffffffffffp1023;

  const Output& output_;
  double sums_[kSumsOfLane] = {};
  double sum_sq_ = 0;
  unsigned nonfinite_ = 0;
  unsigned long long checksum_ = 0;
};

/// An output and the destination of its sketch.
template <typename Y>
struct SketchLane<Y>::Output {
  using Lane = SketchLane;

  const Y* values;
  unsigned long long size;
  std::uint64_t start;  ///< index of the first element among all elements of the call's outputs, a multiple of kBlock
  Words words;
  DeviceSketch* into;
};

template <typename Y>
static typename SketchLane<Y>::Output output_of(const Y* values, std::size_t size, std::uint64_t start,
                                                DeviceSketch* into) {
  const Words words = words_of(values, size * sizeof(Y), start * sizeof(Y));
  return {values, size, start, words, into};
}

template <typename Output>
__global__ void __launch_bounds__(kThreads) add_values(Output output) {
  typename Output::Lane lane(output);
  const long long size = static_cast<long long>(output.size);
  const long long units = size / kUnit;
  for (long long unit = warp_of_grid(); unit < units; unit += warps_of_grid()) lane.add_unit(unit * kUnit);
  if (warp_of_grid() == units % warps_of_grid()) lane.add_rest(units * kUnit, static_cast<int>(size % kUnit));
  lane.finish();
}

__global__ void __launch_bounds__(kThreads) add_checksum(Words words, DeviceSketch* into) {
  std::uint64_t sum = 0;
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kThreads;
  const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * kThreads + threadIdx.x;
  for (unsigned long long i = first; i < words.count(); i += stride) sum += words.term(i);
  sum = sum_of_warp(sum);
  if (lane_of_thread() == 0) atomicAdd(&into->checksum, static_cast<unsigned long long>(sum));
}

std::string launch_add(const Elements& values, std::uint64_t start, DeviceSketch* into, int device, void* stream) {
  if (values.size == 0) return "";
  return error::cuda::with_type(values, [&]<typename Y>(const Y* y) {
    const auto output = output_of(y, values.size, start, into);
    return error::cuda::launch(add_values<std::decay_t<decltype(output)>>, static_cast<long long>(values.size),
                               Queue{device, stream}, output);
  });
}

std::string launch_checksum(const void* data, std::size_t count, std::size_t bytes_each, DeviceSketch* into, int device,
                            void* stream) {
  if (count == 0) return "";
  const Words words = words_of(data, count * bytes_each, 0);
  const auto units = static_cast<long long>(words.size / 4);
  return error::cuda::launch(add_checksum, units, Queue{device, stream}, words, into);
}

std::string launch_measure_and_add(Elements output, Elements reference, error::Spacing spacing,
                                   error::cuda::AccumulatorWithExponents* measured, std::uint64_t start,
                                   DeviceSketch* into, int device, void* stream) {
  return error::cuda::launch_measure(output, reference, spacing, measured, Queue{device, stream},
                                     [&](const auto* y) { return output_of(y, output.size, start, into); });
}

}  // namespace ampprof::sketch::cuda

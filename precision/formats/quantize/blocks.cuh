// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/types/on_device.cuh"
#include "precision/formats/quantize/kernels_cuda.h"
#include "precision/formats/quantize/scale.h"

/// A block of a matrix, processed by 1, 16 or 32 lanes. Included only by kernels_cuda.cu.
namespace ampprof::quantize::cuda {

using error::cuda::kAllLanes;
using error::cuda::kWarp;

constexpr int kTileLength = 16;

/// Parameters of a launch. Block sizes are rows and columns of the matrix; a tensor without blocks is divided to suit
/// the lanes. Properties of the scale are copied here, since a kernel cannot read the host's tables.
struct Task {
  long long rows, columns, from_stride, to_stride, first_row;
  float* to;
  int block_rows, block_columns;
  int lanes;  ///< lanes per block: 1 if a lane processes a column on its own, else adjacent lanes
  bool is_transformed;
  unsigned signs;
  recipes::Scale scale;
  bool has_block_scale;
  bool is_stochastic;
  RandomKey random;
  ElementRange range;
};

/// Statistics of a lane.
struct LaneStatistics {
  unsigned count, nonfinite, flushed, saturated, amax;
  double sum_sq, sum_sq_error;
};

__device__ inline unsigned magnitude_but_nan(float value) {
  const unsigned magnitude = bits_of(value) & kMagnitude;
  return magnitude > kInfinity ? 0U : magnitude;
}

__device__ inline float sign_of(const Task& task, int place) { return (task.signs >> place & 1U) != 0 ? -1.0F : 1.0F; }

/// Applies H₁₆ / 4 to the values of 16 lanes. All lanes of a warp must call this function.
__device__ inline float transformed_over_lanes(float value, int lane) {
  for (int apart = 1; apart < kTileLength; apart *= 2) {
    const float other = __shfl_sync(kAllLanes, value, static_cast<unsigned>(lane ^ apart));
    value = (lane & apart) != 0 ? other - value : value + other;
  }
  return value * 0.25F;
}

/// Applies H₁₆ / 4 to 16 values of one lane.
__device__ inline void transform_own(float (&values)[kTileLength]) {
#pragma unroll
  for (int apart = 1; apart < kTileLength; apart *= 2) {
#pragma unroll
    for (int i = 0; i < kTileLength; ++i) {
      if ((i & apart) != 0) continue;
      const float lower = values[i];
      values[i] = lower + values[i + apart];
      values[i + apart] = lower - values[i + apart];
    }
  }
#pragma unroll
  for (float& value : values) value *= 0.25F;
}

/// Returns the scale of a block whose largest magnitude has these bits; `amax` is that of the tensor.
__device__ inline ScalePair scale_of(const Task& task, unsigned largest, const float* amax) {
  const float value = float_of(largest);
  const float top = task.range.largest;
  switch (task.scale) {
    case recipes::Scale::BlockFloat:
      return float_scale(value, top);
    case recipes::Scale::BlockPowerOfTwo:
      return power_of_two_scale(value, top);
    case recipes::Scale::BlockE8M0:
      return e8m0_scale(value, top);
    case recipes::Scale::BlockE4M3:
      return e4m3_scale(value, top, tensor_scale_above_e4m3(*amax, top));
    default:
      return float_scale(*amax, top);
  }
}

__device__ inline std::uint16_t random_of(const Task& task, long long row, long long column) {
  const auto element = static_cast<std::uint64_t>((task.first_row + row) * task.columns + column);
  const Words words = random_words(element / kElementsPerCounter, task.random);
  const unsigned place = static_cast<unsigned>(element % kElementsPerCounter);
  const unsigned word = place < 4 ? (place < 2 ? words.a : words.b) : (place < 6 ? words.c : words.d);
  return static_cast<std::uint16_t>(place % 2 == 0 ? word & 0xffffU : word >> 16);
}

/// Rounds a value and adds its rounding error to the statistics.
__device__ inline float rounded(const Task& task, float value, const ScalePair& scale, long long row, long long column,
                                LaneStatistics& mine) {
  const float scaled = float_of(bits_of(value) & kMagnitude) * scale.multiplier;
  const float magnitude = saturated(scaled, task.range);
  const float element = task.is_stochastic ? stochastic(magnitude, random_of(task, row, column), task.range)
                                           : nearest(magnitude, task.range);
  const float result = float_of(bits_of(element * scale.inverse) | (bits_of(value) & ~kMagnitude));
  const unsigned before = bits_of(value) & kMagnitude;
  const unsigned after = bits_of(result) & kMagnitude;
  const unsigned ordered = magnitude_but_nan(value);
  mine.amax = ordered > mine.amax ? ordered : mine.amax;
  ++mine.count;
  mine.flushed += after == 0 && before != 0;
  mine.saturated += scaled >= task.range.overflow;
  if (before >= kInfinity || after >= kInfinity) {
    ++mine.nonfinite;
  } else {
    const double error = static_cast<double>(result) - static_cast<double>(value);
    mine.sum_sq += static_cast<double>(value) * static_cast<double>(value);
    mine.sum_sq_error += error * error;
  }
  return result;
}

/// Processes a block with several lanes side by side, row by row. All lanes of a warp must call this function, even for
/// a block outside the matrix.
template <typename T>
struct SharedBlock {
  const Task& task;
  const T* from;
  long long row, column;  ///< position of the first element
  int lane;

  __device__ int place() const { return lane % task.lanes; }
  __device__ bool is_inside(int i, int j) const {
    return j < task.block_columns && row + i < task.rows && column + j < task.columns;
  }
  __device__ bool is_whole_tile() const { return column + kTileLength <= task.columns; }

  __device__ float value(int i, int j) const {
    const float own = is_inside(i, j) ? error::cuda::widened(from[(row + i) * task.from_stride + column + j]) : 0.0F;
    if (!task.is_transformed) return own;
    const float tile = transformed_over_lanes(own * sign_of(task, place()), lane);
    return is_whole_tile() ? tile : own;
  }

  __device__ unsigned largest(bool with_nan) const {
    unsigned magnitude = 0;
    for (int i = 0; i < task.block_rows; ++i) {
      for (int j = place(); j < task.block_columns + place(); j += task.lanes) {
        const float own = value(i, j);
        const unsigned of_value = with_nan ? bits_of(own) & kMagnitude : magnitude_but_nan(own);
        magnitude = of_value > magnitude ? of_value : magnitude;
      }
    }
    for (int apart = task.lanes / 2; apart > 0; apart /= 2) {
      const unsigned other = __shfl_sync(kAllLanes, magnitude, static_cast<unsigned>(lane ^ apart));
      magnitude = other > magnitude ? other : magnitude;
    }
    return magnitude;
  }

  __device__ void round(const ScalePair& scale, LaneStatistics& mine) const {
    for (int i = 0; i < task.block_rows; ++i) {
      for (int j = place(); j < task.block_columns + place(); j += task.lanes) {
        const float own = value(i, j);
        float result = is_inside(i, j) ? rounded(task, own, scale, row + i, column + j, mine) : 0.0F;
        if (task.is_transformed) {
          const float tile = transformed_over_lanes(result, lane) * sign_of(task, place());
          result = is_whole_tile() ? tile : result;
        }
        if (is_inside(i, j)) task.to[(row + i) * task.to_stride + column + j] = result;
      }
    }
  }
};

/// Transforms and processes a column tile with one lane.
template <typename T>
struct OwnTile {
  const Task& task;
  const T* from;
  long long row, column;
  float values[kTileLength];

  __device__ int length() const {
    if (column >= task.columns || row >= task.rows) return 0;
    return static_cast<int>(task.rows - row < kTileLength ? task.rows - row : kTileLength);
  }

  __device__ void read() {
    const int size = length();
#pragma unroll
    for (int i = 0; i < kTileLength; ++i) {
      values[i] = i < size ? error::cuda::widened(from[(row + i) * task.from_stride + column]) : 0.0F;
      if (size == kTileLength) values[i] *= sign_of(task, i);
    }
    if (size == kTileLength) transform_own(values);
  }

  __device__ unsigned largest(bool with_nan) const {
    unsigned magnitude = 0;
#pragma unroll
    for (const float value : values) {
      const unsigned of_value = with_nan ? bits_of(value) & kMagnitude : magnitude_but_nan(value);
      magnitude = of_value > magnitude ? of_value : magnitude;
    }
    return magnitude;
  }

  __device__ void round(const ScalePair& scale, LaneStatistics& mine) {
    const int size = length();
#pragma unroll
    for (int i = 0; i < kTileLength; ++i) {
      if (i < size) values[i] = rounded(task, values[i], scale, row + i, column, mine);
    }
    if (size == kTileLength) transform_own(values);
#pragma unroll
    for (int i = 0; i < kTileLength; ++i) {
      if (i >= size) continue;
      const float sign = size == kTileLength ? sign_of(task, i) : 1.0F;
      task.to[(row + i) * task.to_stride + column] = values[i] * sign;
    }
  }
};

}  // namespace ampprof::quantize::cuda

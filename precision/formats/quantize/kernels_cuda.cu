// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/quantize/blocks.cuh"
#include "precision/formats/quantize/kernels_cuda.h"

namespace ampprof::quantize::cuda {

using error::cuda::kThreads;
using error::cuda::over_warp;
using error::cuda::sum_of_warp;

/// Calls `work(row, column)` with the first element of this lane's block, for each block of a matrix. All lanes of a
/// warp make each call together.
template <typename Work>
__device__ void for_each_block(const Task& task, Work work) {
  const long long across = static_cast<long long>(kWarp / task.lanes) * task.block_columns;
  const long long columns = (task.columns + across - 1) / across;
  const long long units = (task.rows + task.block_rows - 1) / task.block_rows * columns;
  const int block = error::cuda::lane_of_thread() / task.lanes;
  for (long long unit = error::cuda::warp_of_grid(); unit < units; unit += error::cuda::warps_of_grid()) {
    work(unit / columns * task.block_rows,
         unit % columns * across + static_cast<long long>(block) * task.block_columns);
  }
}

/// Tells whether each lane processes a transformed column tile on its own.
__device__ inline bool has_own_tiles(const Task& task) { return task.is_transformed && task.lanes == 1; }

__device__ inline unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

__device__ inline void add_warp(const LaneStatistics& mine, DeviceStatistics* into) {
  __syncwarp();
  const LaneStatistics all{sum_of_warp(mine.count),       sum_of_warp(mine.nonfinite),  sum_of_warp(mine.flushed),
                           sum_of_warp(mine.saturated),   over_warp(mine.amax, larger), sum_of_warp(mine.sum_sq),
                           sum_of_warp(mine.sum_sq_error)};
  if (error::cuda::lane_of_thread() != 0 || all.count == 0) return;
  atomicAdd(&into->count, all.count);
  atomicAdd(&into->nonfinite, all.nonfinite);
  atomicAdd(&into->flushed, all.flushed);
  atomicAdd(&into->saturated, all.saturated);
  atomicMax(&into->amax, all.amax);
  atomicAdd(&into->sum_sq, all.sum_sq);
  atomicAdd(&into->sum_sq_error, all.sum_sq_error);
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    quantize_blocks(const T* from, Task task, const float* amax, DeviceStatistics* into) {
  LaneStatistics mine{};
  const bool with_nan = keeps_nan(task.scale);
  const int lane = error::cuda::lane_of_thread();
  for_each_block(task, [&](long long row, long long column) {
    if (has_own_tiles(task)) {
      OwnTile<T> tile{task, from, row, column, {}};
      tile.read();
      tile.round(scale_of(task, tile.largest(with_nan), amax), mine);
    } else {
      const SharedBlock<T> block{task, from, row, column, lane};
      block.round(scale_of(task, task.has_block_scale ? block.largest(with_nan) : 0U, amax), mine);
    }
  });
  add_warp(mine, into);
}

template <typename T>
__global__ void __launch_bounds__(kThreads) raise_amax(const T* from, Task task, unsigned* largest) {
  unsigned mine = 0;
  const int lane = error::cuda::lane_of_thread();
  for_each_block(task, [&](long long row, long long column) {
    if (has_own_tiles(task)) {
      OwnTile<T> tile{task, from, row, column, {}};
      tile.read();
      mine = larger(mine, tile.largest(false));
    } else {
      mine = larger(mine, SharedBlock<T>{task, from, row, column, lane}.largest(false));
    }
  });
  __syncwarp();
  mine = over_warp(mine, larger);
  if (lane == 0 && mine != 0) atomicMax(largest, mine);
}

namespace {

struct Shape {
  int rows, columns;
};

/// Returns the rows and columns of an operand's block; without blocks, a shape that suits the lanes.
Shape block_shape(const recipes::Operand& operand, recipes::Direction direction) {
  const bool is_rowwise = direction == recipes::Direction::Rowwise;
  const bool is_transformed = operand.transform != recipes::Transform::None;
  recipes::BlockShape block = operand.block;
  if (block == recipes::BlockShape{}) {
    if (!is_transformed) return {1, kWarp};
    block = {1, kTileLength};
  }
  return is_rowwise ? Shape{block.across, block.along} : Shape{block.along, block.across};
}

std::string why_not(const recipes::Operand& operand, Shape block) {
  if (operand.scale == recipes::Scale::None)
    return "An operand without a scale is only cast, and ampprof has no kernel for casts.";
  if (operand.transform == recipes::Transform::None) return "";
  const bool is_line = block.columns == kTileLength || (block.columns == 1 && block.rows == kTileLength);
  return is_line ? "" : "A transform works only along blocks of 16. Use such blocks, or the CPU.";
}

Task task_of(const Matrix& from, Output to, const recipes::Operand& operand, Shape block, const Settings& settings) {
  Task task{};
  task.rows = from.rows;
  task.columns = from.columns;
  task.from_stride = from.stride;
  task.to_stride = to.stride;
  task.first_row = settings.first_row;
  task.to = to.data;
  task.block_rows = block.rows;
  task.block_columns = block.columns;
  task.lanes = block.columns == 1 ? 1 : (block.columns <= kTileLength ? kTileLength : kWarp);
  task.is_transformed = operand.transform != recipes::Transform::None;
  task.signs = settings.hadamard_signs;
  task.scale = operand.scale;
  task.has_block_scale = recipes::info_of(operand.scale).has_block;
  task.is_stochastic = operand.rounding == recipes::Rounding::Stochastic;
  task.random = settings.random;
  task.range = range_of(recipes::format_of(operand.element));
  return task;
}

/// Calls `launch` with the matrix data in its type, FP32 or BF16.
template <typename Launch>
std::string launch_for(const Matrix& from, Launch launch) {
  if (from.rows == 0 || from.columns == 0) return "";
  if (from.dtype == DType::BFloat16) return launch(static_cast<const __nv_bfloat16*>(from.data));
  return launch(static_cast<const float*>(from.data));
}

}  // namespace

std::string launch_quantize(const Matrix& from, Output to, const recipes::Operand& operand,
                            recipes::Direction direction, const Settings& settings, const float* amax,
                            DeviceStatistics* into, int device, void* stream) {
  const Shape block = block_shape(operand, direction);
  if (const std::string reason = why_not(operand, block); !reason.empty()) return reason;
  const Task task = task_of(from, to, operand, block, settings);
  return launch_for(from, [&]<typename T>(const T* data) {
    return error::cuda::launch(quantize_blocks<T>, from.rows * from.columns, {device, stream}, data, task, amax, into);
  });
}

std::string launch_amax(const Matrix& from, const recipes::Operand& operand, recipes::Direction direction,
                        const Settings& settings, float* largest, int device, void* stream) {
  const Shape block = block_shape(operand, direction);
  if (const std::string reason = why_not(operand, block); !reason.empty()) return reason;
  const Task task = task_of(from, {}, operand, block, settings);
  auto* bits = reinterpret_cast<unsigned*>(largest);
  return launch_for(from, [&]<typename T>(const T* data) {
    return error::cuda::launch(raise_amax<T>, from.rows * from.columns, {device, stream}, data, task, bits);
  });
}

}  // namespace ampprof::quantize::cuda

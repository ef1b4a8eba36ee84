// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "precision/error/accumulator.h"
#include "precision/error/eight_pairs.cuh"
#include "precision/formats/types/on_device.cuh"

/// The kernel for error statistics. In the same pass, the kernel can compute something else from the output. Included
/// only by .cu files.
namespace ampprof::error::cuda {

/// An output and its reference.
template <typename Y, typename R>
struct Compared {
  const Y* output;
  const R* reference;
  Spacing spacing;
  FloatSpacing float_spacing;

  static constexpr bool kHasReference = !std::is_same_v<R, NoReference>;
  static constexpr bool kInFloat = !std::is_same_v<Y, double> && !std::is_same_v<R, double>;

  /// Tells whether eight elements can be loaded at once and summed in float.
  __device__ bool in_eights() const {
    const auto addresses = reinterpret_cast<std::uintptr_t>(output) | reinterpret_cast<std::uintptr_t>(reference);
    return kInFloat && addresses % 16 == 0 && (!kHasReference || spacing.min_exponent >= -126);
  }
};

/// Sums over the threads of a block.
struct Shared {
  Accumulator accumulator;
  unsigned keys[kKeys];
};

__device__ static Shared& cleared_shared_memory() {
  __shared__ Shared memory;
  static_assert(kKeys == kThreads);
  memory.keys[threadIdx.x] = 0;
  if (threadIdx.x == 0) memory.accumulator = {};
  __syncthreads();
  return memory;
}

/// The work of one lane.
template <typename Y, typename R>
class Lane {
 public:
  __device__ Lane(const Compared<Y, R>& compared, Shared& shared) : compared_(compared), keys_(shared.keys) {}

  /// Adds eight elements in float. Returns false if the result would be inexact.
  __device__ bool add_eight_at(long long first) {
    float y[kEight];
    load_eight(compared_.output + first, y);
    if constexpr (Compared<Y, R>::kHasReference) {
      float r[kEight];
      load_eight(compared_.reference + first, r);
      return add_eight<Y>(y, r, compared_.float_spacing, mine_, largests_, keys_);
    } else {
      return add_eight<Y>(y, largests_, keys_);
    }
  }

  /// Adds elements in double, one after another.
  __device__ void add(long long first, long long end, int step) {
#pragma unroll 1
    for (long long i = first; i < end; i += step) {
      const double y = widened(compared_.output[i]);
      double r = y;
      if constexpr (Compared<Y, R>::kHasReference) r = widened(compared_.reference[i]);
      add_output(mine_, y);
      if constexpr (Compared<Y, R>::kHasReference) add_error(mine_, y, r, compared_.spacing);
      const int key = add_reference(mine_, r);
      if (key != kNoKey) atomicAdd(&keys_[key], 1U);
    }
  }

  __device__ const LaneAccumulator& found() {
    if constexpr (Compared<Y, R>::kInFloat) {
      if (!Compared<Y, R>::kHasReference) largests_.reference = largests_.output;
      fold(largests_, compared_.float_spacing.unit, mine_);
    }
    return mine_;
  }

 private:
  const Compared<Y, R>& compared_;
  unsigned (&keys_)[kKeys];
  LaneAccumulator mine_{};
  FloatLargests largests_;
};

/// Adds a warp's units in float. Eight elements whose float result would be inexact are added in double later, after at
/// most 32 units: code for double inside the loop would need too many registers.
template <typename OfLane, typename Other>
__device__ void add_units_in_eights(OfLane& lane, Other& other, long long units) {
  constexpr int kTurns = 32;
  const long long stride = warps_of_grid();
  const auto first_of_lane = [](long long unit) { return unit * kUnit + lane_of_thread() * kEight; };
  for (long long begin = warp_of_grid(); begin < units; begin += kTurns * stride) {
    const long long end = min(units, begin + kTurns * stride);
    unsigned again = 0;
    unsigned turn = 1;
#pragma unroll 1
    for (long long unit = begin; unit < end; unit += stride, turn <<= 1) {
      if (!lane.add_eight_at(first_of_lane(unit))) again |= turn;
      other.add_unit(unit * kUnit);
    }
    for (; again != 0; again &= again - 1) {
      const long long first = first_of_lane(begin + (__ffs(static_cast<int>(again)) - 1) * stride);
      lane.add(first, first + kEight, 1);
    }
  }
}

template <typename OfLane, typename Other>
__device__ void add_units(OfLane& lane, Other& other, long long units) {
  for (long long unit = warp_of_grid(); unit < units; unit += warps_of_grid()) {
    lane.add(unit * kUnit + lane_of_thread(), (unit + 1) * kUnit, kWarp);
    other.add_unit(unit * kUnit);
  }
}

__device__ inline void add_warp_to(Accumulator& block, const LaneAccumulator& mine) {
  const bool is_first = lane_of_thread() == 0;
  for (int i = 0; i < Accumulator::kCounts; ++i) {
    const unsigned count = sum_of_warp(mine.counts[i]);
    if (is_first && count != 0) atomicAdd(&block.counts[i], count);
  }
  for (int i = 0; i < Accumulator::kLargests; ++i) {
    const auto largest = over_warp(mine.largests[i], [](auto a, auto b) { return b > a ? b : a; });
    if (is_first && largest != 0) atomicMax(&block.largests[i], largest);
  }
  for (int i = 0; i < Accumulator::kSums; ++i) {
    const double sum = sum_of_warp(mine.sums[i]);
    if (is_first && sum != 0) atomicAdd(&block.sums[i], sum);
  }
}

/// Adds a block's statistics to the whole; each thread adds one number.
__device__ inline void add_block_to(AccumulatorWithExponents& whole, const Shared& shared) {
  const int i = static_cast<int>(threadIdx.x);
  const Accumulator& block = shared.accumulator;
  Accumulator& into = whole.accumulator;
  if (i < Accumulator::kCounts && block.counts[i] != 0) atomicAdd(&into.counts[i], block.counts[i]);
  if (i < Accumulator::kLargests && block.largests[i] != 0) atomicMax(&into.largests[i], block.largests[i]);
  if (i < Accumulator::kSums && block.sums[i] != 0) atomicAdd(&into.sums[i], block.sums[i]);
  add_key(whole, i, shared.keys[i], [](auto& number, auto more) { atomicAdd(&number, more); });
}

/// Measures the output. Also passes its elements to a `Beside::Lane` constructed from `beside`: whole units first, then
/// the remaining elements. Finally calls finish() of that lane.
template <typename Y, typename R, typename Beside>
__global__ void __launch_bounds__(kThreads)
    measure(Compared<Y, R> compared, long long size, AccumulatorWithExponents* into, Beside beside) {
  Shared& shared = cleared_shared_memory();
  Lane<Y, R> lane(compared, shared);
  typename Beside::Lane other(beside);
  const long long units = size / kUnit;
  if (compared.in_eights()) {
    add_units_in_eights(lane, other, units);
  } else {
    add_units(lane, other, units);
  }
  if (warp_of_grid() == units % warps_of_grid()) {
    lane.add(units * kUnit + lane_of_thread(), size, kWarp);
    other.add_rest(units * kUnit, static_cast<int>(size % kUnit));
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) shared.accumulator.counts[Accumulator::kElements] = size;
  __syncwarp();
  add_warp_to(shared.accumulator, lane.found());
  other.finish();
  __syncthreads();
  add_block_to(*into, shared);
}

/// A `Beside` that does nothing.
struct Alone {
  struct Lane {
    __device__ explicit Lane(const Alone&) {}
    __device__ void add_unit(long long) {}
    __device__ void add_rest(long long, int) {}
    __device__ void finish() {}
  };
};

/// Enqueues the kernel for the types of output and reference. `make_beside` creates the `Beside` from the typed output
/// pointer.
template <typename MakeBeside>
std::string launch_measure(Elements output, Elements reference, Spacing spacing, AccumulatorWithExponents* into,
                           Queue queue, MakeBeside beside) {
  if (output.size == 0) return "";
  const auto size = static_cast<long long>(output.size);
  return with_type(output, [&]<typename Y>(const Y* y) {
    const auto against = [&]<typename R>(const R* r) {
      const auto other = beside(y);
      return launch(measure<Y, R, std::decay_t<decltype(other)>>, size, queue,
                    Compared<Y, R>{y, r, spacing, FloatSpacing(spacing)}, size, into, other);
    };
    if (reference.data == nullptr) return against(static_cast<const NoReference*>(nullptr));
    if (reference.dtype == DType::Double) return against(static_cast<const double*>(reference.data));
    return against(static_cast<const float*>(reference.data));
  });
}

}  // namespace ampprof::error::cuda

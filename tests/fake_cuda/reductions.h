// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector_types.h>

#include <cmath>
#include <cstdint>

#include "tests/fake_cuda/elements.h"

/// Computes what LibTorch's reduce_kernel() computes. The kernel's argument describes the reduction completely.
namespace fake_cuda {

struct ReduceConfig {
  int element_size;
  std::uint32_t inputs;  ///< number of inputs per output
  std::uint32_t outputs;
  int how_threads_share_them[11];
  bool vectorizes_input;
  int output_vector_size;
};

template <typename Ops, typename Accumulated>
struct ReduceOp {
  Ops ops;
  Accumulated identity;
  ReduceConfig config;
  OffsetCalculator<1> input;
  OffsetCalculator<2> output;  ///< offsets of a result and of its first input
  const void* source;
  void* results[2];
  void* buffers[2];
  int* semaphores;
  std::int64_t base;
  bool accumulates;
  bool is_final;
  int number_of_outputs;
};

/// Replaces a reduction's functor if it holds no data. The functor of a mean, for example, holds a factor.
struct NoOps {};

/// Reduces with two functions: `join` adds an input to the accumulated value, `project` converts this value to the
/// result.
template <typename Ops, typename Input, typename Accumulated, typename Result, typename Join, typename Project>
work::Work reduce(void** arguments, Join join, Project project) {
  return [=, op = argument<ReduceOp<Ops, Accumulated>>(arguments, 0)] {
    for (std::uint32_t i = 0; i < op.config.outputs; ++i) {
      const auto [to, from] = op.output.get(i);
      Accumulated value = op.identity;
      for (std::uint32_t j = 0; j < op.config.inputs; ++j) {
        value = join(value, element_at<Input>(op.source, from + op.input.get(j)[0]));
      }
      element_at<Result>(op.results[0], to) = Result(project(op.ops, value));
    }
  };
}

template <typename Input, typename Accumulated, typename Result>
work::Work sum(dim3, void** arguments) {
  return reduce<NoOps, Input, Accumulated, Result>(
      arguments, [](Accumulated a, Input b) { return a + Accumulated(b); },
      [](NoOps, Accumulated value) { return value; });
}

template <typename Input, typename Accumulated, typename Result>
work::Work mean(dim3, void** arguments) {
  return reduce<Accumulated, Input, Accumulated, Result>(
      arguments, [](Accumulated a, Input b) { return a + Accumulated(b); },
      [](Accumulated factor, Accumulated value) { return value * factor; });
}

/// Returns the largest value, or NaN if there is a NaN.
template <typename T>
work::Work largest(dim3, void** arguments) {
  return reduce<NoOps, T, T, T>(
      arguments, [](T a, T b) { return std::isnan(a) || a > b ? a : b; }, [](NoOps, T value) { return value; });
}

/// Computes the maximum norm.
template <typename T>
work::Work largest_magnitude(dim3, void** arguments) {
  return reduce<NoOps, T, float, T>(
      arguments,
      [](float a, T b) {
        const float magnitude = std::abs(float(b));
        return std::isnan(a) || a > magnitude ? a : magnitude;
      },
      [](NoOps, float value) { return value; });
}

/// Computes the Euclidean norm.
template <typename T>
work::Work length(dim3, void** arguments) {
  return reduce<NoOps, T, T, T>(
      arguments, [](T a, T b) { return a + b * b; }, [](NoOps, T value) { return std::sqrt(value); });
}

inline work::Work all_of_bools(dim3, void** arguments) {
  return reduce<NoOps, bool, bool, bool>(
      arguments, [](bool a, bool b) { return a && b; }, [](NoOps, bool value) { return value; });
}

}  // namespace fake_cuda

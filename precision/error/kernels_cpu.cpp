// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "precision/error/block_loops.h"
#include "precision/error/kernels.h"

namespace ampprof::cpu {
namespace {

// A block stays in the first-level cache while three loops pass over it, and its counts fit the narrowest integer.
constexpr std::size_t kBlock = 4096;

template <typename Y, typename R>
struct Block {
  loops::OutputRange<Y> output;
  loops::ReferenceRange<R> reference;
  loops::ErrorSums errors;
};

template <typename Y, typename R>
[[gnu::always_inline]] inline Block<Y, R> pass(const Y* output, const R* reference, std::size_t size, Spacing spacing) {
  return {loops::output_range(output, size), loops::reference_range(reference, size),
          loops::error_sums(output, reference, size, spacing)};
}

template <typename Y, typename R>
using Pass = Block<Y, R> (*)(const Y*, const R*, std::size_t, Spacing);

// The same loops, compiled for the widest vectors that the processor has.
template <typename Y, typename R>
Block<Y, R> pass_baseline(const Y* output, const R* reference, std::size_t size, Spacing spacing) {
  return pass(output, reference, size, spacing);
}

#if defined(__x86_64__)
template <typename Y, typename R>
[[gnu::target("avx2,fma")]] Block<Y, R> pass_avx2(const Y* output, const R* reference, std::size_t size,
                                                  Spacing spacing) {
  return pass(output, reference, size, spacing);
}

template <typename Y, typename R>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,fma")]] Block<Y, R> pass_avx512(const Y* output, const R* reference,
                                                                                  std::size_t size, Spacing spacing) {
  return pass(output, reference, size, spacing);
}
#endif

template <typename Y, typename R>
Pass<Y, R> best_pass() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return pass_avx512<Y, R>;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return pass_avx2<Y, R>;
#endif
  return pass_baseline<Y, R>;
}

template <typename T>
double value_of(loops::Bits<T> magnitude) {
  return std::bit_cast<T>(magnitude);
}

template <typename Y, typename R>
RangeStats ranges_of(const Block<Y, R>& block, std::size_t size) {
  const auto smallest = block.output.smallest_less_one;
  RangeStats ranges;
  ranges.count = static_cast<std::int64_t>(size);
  ranges.nonfinite = block.output.nonfinite;
  ranges.amax = value_of<Y>(block.output.amax);
  ranges.smallest = smallest < loops::kInfinity<Y> - 1 ? value_of<Y>(smallest + 1) : 0.0;
  ranges.reference_amax = value_of<R>(block.reference.amax);
  ranges.rounds_to_inf = block.reference.rounds_to_inf;
  ranges.subnormal = block.reference.below_normal - block.reference.zero;
  ranges.rounds_to_zero = block.reference.rounds_to_zero - block.reference.zero;
  return ranges;
}

ErrorStats errors_of(const loops::ErrorSums& sums, std::size_t size) {
  ErrorStats errors;
  errors.count = static_cast<std::int64_t>(size) - sums.excluded;
  errors.excluded = sums.excluded;
  errors.flushed = sums.flushed;
  errors.max_abs = value_of<double>(sums.max_abs);
  errors.max_ulp = value_of<double>(sums.max_ulp);
  errors.sum_ulp = sums.sum_ulp;
  errors.sum_sq_error = sums.sum_sq_error;
  errors.sum_sq_reference = sums.sum_sq_reference;
  errors.sum_sq_output = sums.sum_sq_output;
  errors.sum_product = sums.sum_product;
  return errors;
}

template <typename Y, typename R>
Measured measure_blocks(std::span<const Y> output, std::span<const R> reference, DType output_dtype) {
  static const Pass<Y, R> pass = best_pass<Y, R>();
  const Spacing spacing = spacing_of(output_dtype);
  Measured whole{ErrorStats{}, {}};
  for (std::size_t start = 0; start < output.size(); start += kBlock) {
    const std::size_t size = std::min(kBlock, output.size() - start);
    const auto block = pass(output.data() + start, reference.data() + start, size, spacing);
    whole.local->merge(errors_of(block.errors, size));
    whole.ranges.merge(ranges_of(block, size));
  }
  return whole;
}

// Comparing an output with itself costs a loop that could be left out; ranges alone are rare enough.
template <typename Y>
Measured ranges_alone(std::span<const Y> output) {
  Measured measured = measure_blocks<Y, Y>(output, output, DType::Float);
  measured.local.reset();
  return measured;
}

}  // namespace

Measured measure(std::span<const float> output, std::span<const float> reference, DType output_dtype) {
  return measure_blocks(output, reference, output_dtype);
}
Measured measure(std::span<const float> output, std::span<const double> reference, DType output_dtype) {
  return measure_blocks(output, reference, output_dtype);
}
Measured measure(std::span<const double> output, std::span<const float> reference, DType output_dtype) {
  return measure_blocks(output, reference, output_dtype);
}
Measured measure(std::span<const double> output, std::span<const double> reference, DType output_dtype) {
  return measure_blocks(output, reference, output_dtype);
}

Measured measure_ranges(std::span<const float> output) { return ranges_alone(output); }
Measured measure_ranges(std::span<const double> output) { return ranges_alone(output); }

}  // namespace ampprof::cpu

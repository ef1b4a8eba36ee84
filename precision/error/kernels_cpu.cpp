// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "precision/error/block_loops.h"
#include "precision/error/kernels.h"

namespace ampprof::cpu {
namespace {

// A block stays in the first-level cache while three loops pass over it, and its counts fit the narrowest integer.
constexpr std::size_t kBlock = 4096;

template <typename Y, typename R>
struct RangeBlock {
  loops::OutputRange<Y> output;
  loops::ReferenceRange<R> reference;
};

template <typename Y, typename R>
struct ErrorBlock {
  RangeBlock<Y, R> ranges;
  loops::ErrorSums errors;
};

struct Ranges {
  template <typename Y>
  [[gnu::always_inline]] static RangeBlock<Y, Y> of(const Y* output, std::size_t size) {
    return {loops::output_range(output, size), loops::reference_range(output, size)};
  }
};

struct Errors {
  template <typename Y, typename R>
  [[gnu::always_inline]] static ErrorBlock<Y, R> of(const Y* output, const R* reference, std::size_t size,
                                                    Spacing spacing) {
    return {{loops::output_range(output, size), loops::reference_range(reference, size)},
            loops::error_sums(output, reference, size, spacing)};
  }
};

// The same loops, compiled for the widest vectors that the processor has.
template <typename Work, typename... Args>
auto on_baseline(Args... args) {
  return Work::of(args...);
}

#if defined(__x86_64__)
template <typename Work, typename... Args>
[[gnu::target("avx2,fma")]] auto on_avx2(Args... args) {
  return Work::of(args...);
}

template <typename Work, typename... Args>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,fma")]] auto on_avx512(Args... args) {
  return Work::of(args...);
}
#endif

template <typename Work, typename... Args>
auto best() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return &on_avx512<Work, Args...>;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &on_avx2<Work, Args...>;
#endif
  return &on_baseline<Work, Args...>;
}

template <typename T>
double value_of(loops::Bits<T> magnitude) {
  return std::bit_cast<T>(magnitude);
}

template <typename Y, typename R>
RangeStats ranges_of(const RangeBlock<Y, R>& block, std::size_t size) {
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
  static const auto errors = best<Errors, const Y*, const R*, std::size_t, Spacing>();
  const Spacing spacing = spacing_of(output_dtype);
  Measured whole{ErrorStats{}, {}};
  for (std::size_t start = 0; start < output.size(); start += kBlock) {
    const std::size_t size = std::min(kBlock, output.size() - start);
    const auto block = errors(output.data() + start, reference.data() + start, size, spacing);
    whole.local->merge(errors_of(block.errors, size));
    whole.ranges.merge(ranges_of(block.ranges, size));
  }
  return whole;
}

template <typename Y>
Measured ranges_alone(std::span<const Y> output) {
  static const auto ranges = best<Ranges, const Y*, std::size_t>();
  Measured whole;
  for (std::size_t start = 0; start < output.size(); start += kBlock) {
    const std::size_t size = std::min(kBlock, output.size() - start);
    whole.ranges.merge(ranges_of(ranges(output.data() + start, size), size));
  }
  return whole;
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

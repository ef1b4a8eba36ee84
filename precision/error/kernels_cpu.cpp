// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "precision/error/block_loops.h"
#include "precision/error/kernels.h"
#include "precision/error/key_counts.h"
#include "precision/formats/types/dispatch.h"
#include "precision/formats/types/widen.h"

namespace ampprof::error::cpu {
namespace {

constexpr std::size_t kLargestBlock = loops::block_of(64);

struct Block {
  ErrorStats errors;
  RangeStats ranges;
  loops::KeyCounts keys;
  std::int64_t minus_infinite = 0;
};

template <typename T>
double value_of(loops::Bits<T> magnitude) {
  return std::bit_cast<T>(magnitude);
}

template <typename Y>
RangeStats ranges_of(const loops::OutputRange<Y>& output, double reference_amax, std::size_t size) {
  RangeStats ranges;
  ranges.count = static_cast<std::int64_t>(size);
  ranges.nonfinite = output.nonfinite;
  ranges.amax = value_of<Y>(output.amax);
  const auto smallest = output.smallest_less_one;
  ranges.smallest = smallest < loops::kInfinity<Y> - 1 ? value_of<Y>(smallest + 1) : 0.0;
  ranges.reference_amax = reference_amax;
  return ranges;
}

std::int64_t sum_of(const loops::KeyCounts& counts, int first, int last) {
  std::int64_t sum = 0;
  for (int key = first; key <= last; ++key) sum += counts[static_cast<std::size_t>(key)];
  return sum;
}

/// Derives the range statistics for FP16 from the exponent counts of the reference. FP16's limits are exponent
/// boundaries, or lie inside the range of one rare exponent. The values are read only if that exponent occurs. Removes
/// zeros from the counts, since they have no exponent.
template <typename R>
[[gnu::always_inline]] inline void look_as_half(const R* values, std::size_t size, Block& block) {
  constexpr auto between = [](double value) { return loops::bits(static_cast<R>(value)); };
  constexpr auto kBelow = between(0x1p-126) - 1;
  constexpr auto kTie = between(0x1p-25);
  constexpr int kTieKey = 127 - 25;
  constexpr int kNormalKey = 127 - 14;
  constexpr int kLargestKey = 127 + 15;
  auto& counts = block.keys;
  const auto in = [&](loops::Bits<R> low, loops::Bits<R> high) {
    return loops::count_between(values, size, low, high);
  };
  if (counts[0] != 0) counts[0] = static_cast<std::uint32_t>(in(1, kBelow));
  block.ranges.subnormal = sum_of(counts, 0, kNormalKey - 1);
  block.ranges.rounds_to_zero = sum_of(counts, 0, kTieKey - 1) + (counts[kTieKey] != 0 ? in(kTie, kTie) : 0);
  block.ranges.rounds_to_inf = sum_of(counts, kLargestKey + 1, 254);
  if (counts[kLargestKey] != 0) block.ranges.rounds_to_inf += in(between(65520), between(65536) - 1);
  if (counts[255] != 0) block.ranges.rounds_to_inf += in(loops::kInfinity<R>, loops::kInfinity<R>);
}

template <int Width>
struct Ranges {
  static constexpr std::size_t kBlock = loops::block_of(Width);

  template <typename Y>
  [[gnu::always_inline]] static void of(const Y* output, std::size_t size, Block& block) {
    alignas(64) std::array<std::uint8_t, kBlock> keys;
    const auto range = loops::output_range(output, size);
    loops::exponent_keys(output, size, keys.data());
    block.ranges = ranges_of(range, value_of<Y>(range.amax), size);
    block.minus_infinite = range.nonfinite != 0 ? loops::count_minus_infinite(output, size) : 0;
    block.keys = loops::count_keys<Width>(keys.data(), size);
    look_as_half(output, size, block);
  }
};

template <int Width>
struct Finite {
  template <typename Pattern>
  [[gnu::always_inline]] static void of(const Pattern* patterns, std::size_t size, Pattern infinity, bool& are_finite) {
    constexpr std::size_t kBlock = 4096;  // elements per block; the loop stops at the first nonfinite block
    for (std::size_t start = 0; are_finite && start < size; start += kBlock) {
      are_finite = loops::are_below(patterns + start, std::min(kBlock, size - start), infinity);
    }
  }
};

template <int Width>
struct Errors {
  static constexpr std::size_t kBlock = loops::block_of(Width);

  template <typename Y, typename R>
  [[gnu::always_inline]] static void of(const Y* output, const R* reference, std::size_t size, Spacing spacing,
                                        Block& block) {
    alignas(64) std::array<std::uint8_t, kBlock> keys;
    block = {};
    std::size_t done = 0;
    if constexpr (sizeof(Y) == 4 && sizeof(R) == 4) done = fast(output, reference, size, spacing, keys.data(), block);
    if (done != size) any(output + done, reference + done, size - done, spacing, keys.data() + done, block);
    block.keys = loops::count_keys<Width>(keys.data(), size);
    look_as_half(reference, size, block);
  }

 private:
  /// Processes elements in float, up to a multiple of kShortSum, and returns their number; 0 if the result would be
  /// inexact.
  [[gnu::always_inline]] static std::size_t fast(const float* output, const float* reference, std::size_t size,
                                                 Spacing spacing, std::uint8_t* keys, Block& block) {
    const std::size_t whole = size - size % loops::kShortSum;
    if (whole == 0 || spacing.min_exponent < -126) return 0;
    auto found = loops::compare_floats<Width>(output, reference, whole, spacing, keys);
    if (!loops::can_be_trusted(found, spacing)) return 0;
    if (found.output_min == 0) found.errors.flushed = loops::count_flushed(output, reference, whole);
    block.errors = loops::errors_of(found.errors, whole);
    block.ranges = ranges_of(found.output, value_of<float>(found.reference_amax), whole);
    return whole;
  }

  template <typename Y, typename R>
  [[gnu::always_inline]] static void any(const Y* output, const R* reference, std::size_t size, Spacing spacing,
                                         std::uint8_t* keys, Block& block) {
    const double reference_amax = value_of<R>(loops::largest_finite(reference, size));
    const auto range = loops::output_range(output, size);
    block.ranges.merge(ranges_of(range, reference_amax, size));
    if (range.nonfinite != 0) block.minus_infinite = loops::count_minus_infinite(output, size);
    block.errors.merge(loops::errors_of(loops::error_sums(output, reference, size, spacing), size));
    loops::exponent_keys(reference, size, keys);
  }
};

/// Merges blocks. Exponents stay keys (exponent_keys()) until the end.
class Whole {
 public:
  void add(const Block& block) {
    measured_.local->merge(block.errors);
    measured_.ranges.merge(block.ranges);
    measured_.minus_infinite += block.minus_infinite;
    for (std::size_t key = 0; key < keys_.size(); ++key) keys_[key] += block.keys[key];
  }

  OutputStatistics result() {
    for (int key = 0; key < 255; ++key) {
      measured_.exponents.counts[ExponentHistogram::bin_of(key - 126)] += keys_[static_cast<std::size_t>(key)];
    }
    return measured_;
  }

 private:
  OutputStatistics measured_{.local = ErrorStats{}};
  std::array<std::int64_t, 256> keys_{};
};

/// Calls `work(values, start, size)` for each block. Widens narrow types block by block, so that the floats stay in the
/// cache.
template <typename Y, typename Work>
void for_each_block(const Elements& output, std::size_t block, Work work) {
  alignas(64) std::array<float, kLargestBlock> wide;
  for (std::size_t start = 0; start < output.size; start += block) {
    const Elements part = output.part(start, std::min(block, output.size - start));
    if constexpr (sizeof(Y) == 8) {
      work(static_cast<const double*>(part.data), start, part.size);
    } else {
      work(as_floats(part, wide.data()), start, part.size);
    }
  }
}

template <typename Y, typename R>
OutputStatistics compare(const Elements& output, const R* reference, Spacing spacing, InstructionSet instructions) {
  const auto errors = loop_for<Errors, const Y*, const R*, std::size_t, Spacing, Block&>(instructions);
  Whole whole;
  Block block;
  for_each_block<Y>(output, loops::block_of(errors.width), [&](const Y* values, std::size_t start, std::size_t size) {
    errors.run(values, reference + start, size, spacing, block);
    whole.add(block);
  });
  return whole.result();
}

template <typename Y>
OutputStatistics ranges_alone(const Elements& output, InstructionSet instructions) {
  const auto ranges = loop_for<Ranges, const Y*, std::size_t, Block&>(instructions);
  Whole whole;
  Block block{};
  for_each_block<Y>(output, loops::block_of(ranges.width),
                    [&](const Y* values, std::size_t /*start*/, std::size_t size) {
                      ranges.run(values, size, block);
                      whole.add(block);
                    });
  OutputStatistics measured = whole.result();
  measured.local.reset();
  return measured;
}

template <typename Pattern>
bool are_below(const Elements& output, Pattern infinity, InstructionSet instructions) {
  bool are_finite = true;
  loop_for<Finite, const Pattern*, std::size_t, Pattern, bool&>(instructions)
      .run(static_cast<const Pattern*>(output.data), output.size, infinity, are_finite);
  return are_finite;
}

}  // namespace

bool are_finite(Elements output, InstructionSet instructions) {
  switch (output.dtype) {
    case DType::Float:
      return are_below(output, loops::kInfinity<float>, instructions);
    case DType::Double:
      return are_below(output, loops::kInfinity<double>, instructions);
    case DType::Half:
      return are_below(output, std::int16_t{0x7c00}, instructions);
    case DType::BFloat16:
      return are_below(output, std::int16_t{0x7f80}, instructions);
    default:
      return measure_ranges(output, instructions).ranges.nonfinite == 0;
  }
}

OutputStatistics measure(Elements output, Elements reference, Spacing spacing, InstructionSet instructions) {
  const auto against = [&]<typename R>(const R* values) {
    return output.dtype == DType::Double ? compare<double>(output, values, spacing, instructions)
                                         : compare<float>(output, values, spacing, instructions);
  };
  return reference.dtype == DType::Double ? against(static_cast<const double*>(reference.data))
                                          : against(static_cast<const float*>(reference.data));
}

OutputStatistics measure_ranges(Elements output, InstructionSet instructions) {
  return output.dtype == DType::Double ? ranges_alone<double>(output, instructions)
                                       : ranges_alone<float>(output, instructions);
}

}  // namespace ampprof::error::cpu

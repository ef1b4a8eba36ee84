// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/quantize/block_rows.h"

#include <algorithm>
#include <cmath>

#include "precision/formats/quantize/non_temporal.h"
#include "precision/formats/types/round_cpu.h"

namespace ampprof::quantize {
namespace {

constexpr auto kInfinityBits = static_cast<std::int32_t>(kInfinity);

std::int32_t magnitude_of(float value) { return static_cast<std::int32_t>(bits_of(value) & kMagnitude); }

std::int32_t magnitude_but_nan(float value) { return is_nan(value) ? 0 : magnitude_of(value); }

/// Prefetches the next panel's line while this one is processed: in a panel of several rows the hardware prefetcher
/// cannot predict the next panel. Prefetching beyond the matrix is harmless.
void ask_for_next(const float* line, std::size_t size) {
  constexpr std::size_t kLine = 16;  // elements
  for (std::size_t i = 0; i < size; i += kLine) __builtin_prefetch(line + size + i);
}

/// Returns a power of two that brings `magnitude` below 4 and, if the range of float allows, to 1 or more.
float unit_of(std::int32_t magnitude) {
  const std::uint32_t exponent = static_cast<std::uint32_t>(magnitude) >> kMantissaBits;
  return float_of(std::max(254U - exponent, 1U) << kMantissaBits);
}

/// Adds the losses of a line that may contain NaN and inf before or after rounding.
void add_nonfinite(const float* line, const float* rounded, std::size_t size, OperandRounding& to) {
  for (std::size_t i = 0; i < size; ++i) {
    to.amax = std::max(to.amax, static_cast<double>(float_of(static_cast<std::uint32_t>(magnitude_but_nan(line[i])))));
    if (!std::isfinite(line[i]) || !std::isfinite(rounded[i])) {
      ++to.nonfinite;
      continue;
    }
    const auto value = static_cast<double>(line[i]);
    const double error = static_cast<double>(rounded[i]) - value;
    to.sum_sq += value * value;
    to.sum_sq_error += error * error;
  }
}

}  // namespace

float largest_but_nan(std::int32_t magnitude, PanelLines lines, std::int64_t rows, std::int64_t columns) {
  if (magnitude > kInfinityBits) {
    magnitude = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t i = 0; i < columns; ++i) magnitude = std::max(magnitude, magnitude_but_nan(lines.line(row)[i]));
    }
  }
  return float_of(static_cast<std::uint32_t>(magnitude));
}

BlockRows::BlockRows(const recipes::Operand& operand, const PanelShape& shape, const lines::Kernels& kernels,
                     ScalePair of_tensor, float above_e4m3, const Settings& settings, bool goes_past_cache)
    : operand_(operand),
      shape_(shape),
      kernels_(kernels),
      random_(settings.random),
      instructions_(settings.instructions),
      range_(range_of(recipes::format_of(operand.element))),
      above_e4m3_(above_e4m3) {
  const auto width = static_cast<std::size_t>(shape.columns);
  magnitudes_.resize(width);
  multipliers_.resize(width, of_tensor.multiplier);
  inverses_.resize(width, of_tensor.inverse);
  const std::size_t groups = width / static_cast<std::size_t>(shape.block_columns);
  group_magnitudes_.resize(std::max(groups, std::size_t{1}));
  group_multipliers_.resize(groups);
  group_inverses_.resize(groups);
  if (goes_past_cache) rounded_.resize(width);
  if (operand.rounding == recipes::Rounding::Stochastic)
    halves_.resize(width + 2 * kElementsPerCounter);  // room for whole random counters at both ends
}

void BlockRows::quantize(PanelLines lines, const Panel& panel, float* to, std::int64_t to_stride,
                         std::int64_t first_element, std::int64_t tensor_columns) {
  const auto size = static_cast<std::size_t>(panel.columns);
  for (std::int64_t begin = 0; begin < panel.rows; begin += shape_.block_rows) {
    const std::int64_t rows = std::min(shape_.block_rows, panel.rows - begin);
    const PanelLines block{lines.line(begin), lines.stride};
    const std::int32_t largest = find_scales(block, rows, panel.columns);
    const bool may_saturate = can_saturate(largest);
    for (std::int64_t row = begin; row < begin + rows; ++row) {
      float* place = to + row * to_stride;
      float* result = rounded_.empty() ? place : rounded_.data();
      round(lines.line(row), size, result, first_element + row * tensor_columns, may_saturate);
      add_line(lines.line(row), result, size, largest);
      if (rows > 1) ask_for_next(lines.line(row), size);
      if (result != place) copy_past_cache(result, size, place);
    }
  }
}

/// Finds the scales of a row of blocks. Returns the bits of the largest magnitude in the row.
std::int32_t BlockRows::find_scales(PanelLines lines, std::int64_t rows, std::int64_t columns) {
  const auto size = static_cast<std::size_t>(columns);
  const bool has_block = recipes::info_of(operand_.scale).has_block;
  const auto width = has_block ? static_cast<std::size_t>(shape_.block_columns) : size;
  const std::size_t groups = (size + width - 1) / width;
  CacheLines<std::int32_t>& amax = width == 1 ? magnitudes_ : group_magnitudes_;
  find_magnitudes(lines, rows, size, width);
  std::int32_t largest = 0;
  kernels_.largest_of_groups(amax.data(), groups, groups, &largest);
  if (!has_block) return largest;
  if (largest > kInfinityBits && !keeps_nan(operand_.scale)) leave_out_nan(lines, rows, columns, width);
  const auto find = [&](CacheLines<float>& multipliers, CacheLines<float>& inverses) {
    kernels_.find_scales(amax.data(), groups, range_.largest, above_e4m3_, multipliers.data(), inverses.data());
  };
  if (width == 1) {
    find(multipliers_, inverses_);
    return largest;
  }
  find(group_multipliers_, group_inverses_);
  kernels_.spread(group_multipliers_.data(), width, size, multipliers_.data());
  kernels_.spread(group_inverses_.data(), width, size, inverses_.data());
  return largest;
}

/// Finds the largest magnitude of each group of `width` columns over all rows. Stores it in group_magnitudes_, or in
/// magnitudes_ if `width` is 1.
void BlockRows::find_magnitudes(PanelLines lines, std::int64_t rows, std::size_t size, std::size_t width) {
  if (rows == 1 && width > 1) return kernels_.largest_of_line_groups(lines.data, size, width, group_magnitudes_.data());
  std::fill_n(magnitudes_.begin(), size, 0);
  for (std::int64_t row = 0; row < rows; ++row) kernels_.raise_magnitudes(lines.line(row), size, magnitudes_.data());
  if (width > 1) kernels_.largest_of_groups(magnitudes_.data(), size, width, group_magnitudes_.data());
}

void BlockRows::leave_out_nan(PanelLines lines, std::int64_t rows, std::int64_t columns, std::size_t width) {
  for (std::int64_t i = 0; i < columns; ++i) {
    std::int32_t& magnitude = magnitudes_[static_cast<std::size_t>(i)];
    magnitude = 0;
    for (std::int64_t row = 0; row < rows; ++row)
      magnitude = std::max(magnitude, magnitude_but_nan(lines.line(row)[i]));
  }
  if (width > 1) {
    kernels_.largest_of_groups(magnitudes_.data(), static_cast<std::size_t>(columns), width, group_magnitudes_.data());
  }
}

/// Tells whether values up to this magnitude can saturate with the current scales.
bool BlockRows::can_saturate(std::int32_t magnitude) const {
  const float largest = float_of(static_cast<std::uint32_t>(magnitude));
  // Slightly below the limit, because this product is rounded differently from the products with the values.
  const auto reaches = [&](float multiplier) { return largest * multiplier >= 0.99F * range_.overflow; };
  if (magnitude >= kInfinityBits) return true;
  if (operand_.scale == recipes::Scale::BlockE4M3) return reaches(1.0F / above_e4m3_ / 448.0F);
  return !recipes::info_of(operand_.scale).has_block && reaches(multipliers_[0]);
}

void BlockRows::round(const float* line, std::size_t size, float* to, std::int64_t first_element, bool may_saturate) {
  if (!recipes::needs_scale(operand_.element)) {
    const auto type = static_cast<error::WhatIfType>(operand_.element);
    error::cpu::round_to({line, size}, to, type, instructions_);
    for (std::size_t i = 0; i < size; ++i)
      statistics_.flushed += (magnitude_of(to[i]) == 0) & (magnitude_of(line[i]) != 0);
    return;
  }
  lines::Counts counts{.with_saturated = may_saturate};
  const lines::Scales scales{multipliers_.data(), inverses_.data()};
  if (operand_.rounding == recipes::Rounding::Stochastic) {
    const auto first = static_cast<std::uint64_t>(first_element);
    const std::size_t skipped = first % kElementsPerCounter;
    const std::size_t counters = (skipped + size + kElementsPerCounter - 1) / kElementsPerCounter;
    kernels_.fill_random(first / kElementsPerCounter, counters, random_, halves_.data());
    kernels_.round_stochastic(line, size, scales, halves_.data() + skipped, range_, to, counts);
  } else {
    kernels_.round_nearest(line, size, scales, range_, to, counts);
  }
  statistics_.flushed += counts.flushed;
  statistics_.saturated += counts.saturated;
}

void BlockRows::add_line(const float* line, const float* rounded, std::size_t size, std::int32_t magnitude) {
  statistics_.count += static_cast<std::int64_t>(size);
  const float largest = float_of(static_cast<std::uint32_t>(magnitude));
  const bool is_beyond = !recipes::needs_scale(operand_.element) && largest >= range_.overflow;
  // From 2^127 on, rounding up may give inf: 0x1.fp127 in E4M3.
  if (magnitude >= kInfinityBits || largest >= 0x1p127F || is_beyond)
    return add_nonfinite(line, rounded, size, statistics_);
  if (magnitude == 0) return;
  const float unit = unit_of(magnitude);
  lines::Sums sums;
  kernels_.add_squares(line, rounded, size, unit, sums);
  const double per_unit = 1.0 / static_cast<double>(unit);
  statistics_.amax = std::max(statistics_.amax, static_cast<double>(largest));
  statistics_.sum_sq += sums.sum_sq * per_unit * per_unit;
  statistics_.sum_sq_error += sums.sum_sq_error * per_unit * per_unit;
}

}  // namespace ampprof::quantize

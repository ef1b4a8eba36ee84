// SPDX-License-Identifier: Apache-2.0
#include "precision/quantize/block_rows.h"

#include <algorithm>
#include <cmath>

#include "precision/error/round_cpu.h"

namespace ampprof::quantize {
namespace {

constexpr auto kInfinityBits = static_cast<std::int32_t>(kInfinity);

std::int32_t magnitude_of(float value) { return static_cast<std::int32_t>(bits_of(value) & kMagnitude); }

std::int32_t magnitude_but_nan(float value) { return is_nan(value) ? 0 : magnitude_of(value); }

/// A power of two that brings values no larger than this one below 4, and the largest to 1 or more where floats have
/// it.
float unit_of(std::int32_t magnitude) {
  const std::uint32_t exponent = static_cast<std::uint32_t>(magnitude) >> kMantissaBits;
  return float_of(std::max(254U - exponent, 1U) << kMantissaBits);
}

/// Adds a line that may have NaN and inf, before or after.
void add_wild(const float* line, const float* rounded, std::size_t size, OperandStatistics& to) {
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
                     ScalePair of_tensor, float above_e4m3, const Settings& settings)
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
  group_magnitudes_.resize(groups);
  group_multipliers_.resize(groups);
  group_inverses_.resize(groups);
  if (operand.rounding == recipes::Rounding::Stochastic) words_.resize(width + 8);  // whole quads around a line
}

void BlockRows::quantize(PanelLines lines, const Panel& panel, float* to, std::int64_t to_stride,
                         std::int64_t first_element, std::int64_t tensor_columns) {
  const auto size = static_cast<std::size_t>(panel.columns);
  for (std::int64_t begin = 0; begin < panel.rows; begin += shape_.block_rows) {
    const std::int64_t rows = std::min(shape_.block_rows, panel.rows - begin);
    const PanelLines block{lines.line(begin), lines.stride};
    const std::int32_t largest = find_scales(block, rows, panel.columns);
    for (std::int64_t row = begin; row < begin + rows; ++row) {
      float* result = to + row * to_stride;
      round(lines.line(row), size, result, first_element + row * tensor_columns);
      add_line(lines.line(row), result, size, largest);
    }
  }
}

/// Returns the bits of the largest magnitude of all.
std::int32_t BlockRows::find_scales(PanelLines lines, std::int64_t rows, std::int64_t columns) {
  const auto size = static_cast<std::size_t>(columns);
  const auto width = static_cast<std::size_t>(shape_.block_columns);
  std::fill_n(magnitudes_.begin(), size, 0);
  for (std::int64_t row = 0; row < rows; ++row) kernels_.raise_magnitudes(lines.line(row), size, magnitudes_.data());
  std::int32_t largest = 0;
  kernels_.largest_of_groups(magnitudes_.data(), size, size, &largest);
  if (!recipes::info_of(operand_.scale).has_block) return largest;
  if (largest > kInfinityBits && !keeps_nan(operand_.scale)) leave_out_nan(lines, rows, columns);
  const auto find = [&](const std::vector<std::int32_t>& amax, std::size_t count, std::vector<float>& multipliers,
                        std::vector<float>& inverses) {
    kernels_.find_scales(amax.data(), count, range_.largest, above_e4m3_, multipliers.data(), inverses.data());
  };
  if (width == 1) {
    find(magnitudes_, size, multipliers_, inverses_);
    return largest;
  }
  kernels_.largest_of_groups(magnitudes_.data(), size, width, group_magnitudes_.data());
  find(group_magnitudes_, (size + width - 1) / width, group_multipliers_, group_inverses_);
  kernels_.spread(group_multipliers_.data(), width, size, multipliers_.data());
  kernels_.spread(group_inverses_.data(), width, size, inverses_.data());
  return largest;
}

void BlockRows::leave_out_nan(PanelLines lines, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < columns; ++i) {
    std::int32_t& magnitude = magnitudes_[static_cast<std::size_t>(i)];
    magnitude = 0;
    for (std::int64_t row = 0; row < rows; ++row)
      magnitude = std::max(magnitude, magnitude_but_nan(lines.line(row)[i]));
  }
}

void BlockRows::round(const float* line, std::size_t size, float* to, std::int64_t first_element) {
  if (!recipes::needs_scale(operand_.element)) {
    const auto type = static_cast<error::WhatIfType>(operand_.element);
    error::cpu::round_to({line, size}, to, type, instructions_);
    for (std::size_t i = 0; i < size; ++i)
      statistics_.flushed += (magnitude_of(to[i]) == 0) & (magnitude_of(line[i]) != 0);
    return;
  }
  lines::Counts counts;
  const lines::Scales scales{multipliers_.data(), inverses_.data()};
  if (operand_.rounding == recipes::Rounding::Stochastic) {
    const auto first = static_cast<std::uint64_t>(first_element);
    const std::size_t skipped = first % 4;
    kernels_.fill_random(first / 4, (skipped + size + 3) / 4, random_, words_.data());
    kernels_.round_stochastic(line, size, scales, words_.data() + skipped, range_, to, counts);
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
  // From 2^127 on rounding up can end at inf: 0x1.fp127 in E4M3.
  if (magnitude >= kInfinityBits || largest >= 0x1p127F || is_beyond) return add_wild(line, rounded, size, statistics_);
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

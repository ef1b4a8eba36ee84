// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/exponent_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reports/records/saturating_add.h"

namespace ampprof::gui {
namespace {

constexpr double kDecades = 6;  // number of decades of shares between heat 0 and heat 1

}  // namespace

std::optional<int> ExponentAxis::cellAt(double x) const {
  const double place = std::floor((x - left_) / cell_width_);
  if (!(place >= 0 && place < kCells)) return std::nullopt;
  return static_cast<int>(place);
}

double ExponentAxis::x(double power) const {
  // + 1, since cell 0 is the left tail.
  const double place = std::clamp(power - kLowest + 1, 0.0, static_cast<double>(kCells));
  return left_ + place * cell_width_;
}

ExponentAxis::Window ExponentAxis::window(const FloatFormat& format) const {
  const double low = std::log2(format.smallest_subnormal);
  const double middle = std::log2(format.smallest_normal);
  const double high = std::log2(format.largest);
  return {.normal = {x(middle), x(high)},
          .subnormal = {x(low), x(middle)},
          .is_cut_left = low<kLowest, .is_cut_right = high> kHighest};
}

ExponentAxis::Counts ExponentAxis::countsOf(const ExponentHistogram& histogram) {
  Counts counts{};
  for (std::size_t bin = 0; bin < ExponentHistogram::kBins; ++bin) {
    // Exponent e covers values from 2^(e-1) to 2^e.
    const int cell = std::clamp(ExponentHistogram::exponent_of(bin) - kLowest, 0, kCells - 1);
    saturating_add(counts[static_cast<std::size_t>(cell)], histogram.counts[bin]);
  }
  return counts;
}

ExponentAxis::Shares ExponentAxis::sharesOf(const Counts& counts) {
  Shares shares{};
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (total > 0)
    std::ranges::transform(counts, shares.begin(), [&](auto count) { return static_cast<double>(count) / total; });
  return shares;
}

QString ExponentAxis::textOf(int cell) {
  if (cell <= 0) return QString("below 2^%1").arg(kLowest);
  if (cell >= kCells - 1) return QString("2^%1 and above").arg(kHighest);
  return QString("2^%1 to 2^%2").arg(kLowest + cell - 1).arg(kLowest + cell);
}

QString ExponentAxis::textOf(int cell, const Counts& counts) {
  const auto place = static_cast<std::size_t>(cell);
  return QString("%1: %2 % of the values, %3")
      .arg(textOf(cell))
      .arg(100 * sharesOf(counts)[place], 0, 'g', 3)
      .arg(counts[place]);
}

double heatOfShare(double share) {
  if (!(share > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::clamp(1 + std::log10(share) / kDecades, 0.0, 1.0);
}

}  // namespace ampprof::gui

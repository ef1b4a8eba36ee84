// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ampprof::gui {

/// Number of decades of a size between heat 0 and heat 1.
inline constexpr double kDecadesOfHeat = 3;

/// Heat of a number that is unknown, or not above noise.
inline constexpr double kNoHeat = std::numeric_limits<double>::quiet_NaN();

/// Returns the length of a bar: 1 for the size `largest`, decreasing linearly in log10(size) to 0 at kDecadesOfHeat
/// decades below `largest`.
inline double lengthOf(double size, double largest) {
  if (size >= largest) return 1.0;
  return std::max(0.0, 1.0 + std::log10(size / largest) / kDecadesOfHeat);
}

/// Returns lengthOf(), or kNoHeat if the size is unknown or not above `noise`.
inline double heatOf(const std::optional<double>& size, double largest, double noise = 0.0) {
  if (!size || std::isnan(*size) || *size <= noise) return kNoHeat;
  return lengthOf(*size, largest);
}

}  // namespace ampprof::gui

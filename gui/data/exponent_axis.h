// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <optional>

#include "reports/records/exponents.h"

namespace ampprof::gui {

/// A floating point format by the values at its ends.
struct FloatFormat {
  const char* name;
  double largest;
  double smallest_normal;
  double smallest_subnormal;
};

inline constexpr std::array<FloatFormat, 4> kFormats{{{"FP16", 65504, 0x1p-14, 0x1p-24},
                                                      {"BF16", 0x1.FEp127, 0x1p-126, 0x1p-133},
                                                      {"E4M3", 448, 0x1p-6, 0x1p-9},
                                                      {"E5M2", 57344, 0x1p-14, 0x1p-16}}};

/// Where the exponents of an ExponentHistogram lie from left to right: a cell for each power of two from 2^-40 to 2^24,
/// and one at either end for all that is beyond. Lengths are pixels.
class ExponentAxis {
 public:
  static constexpr int kLowest = -40;  ///< powers of two, the edges of the outermost cells that are no tail
  static constexpr int kHighest = 24;
  static constexpr int kCells = kHighest - kLowest + 2;

  /// How many values each cell stands for.
  using Counts = std::array<std::int64_t, kCells>;
  /// Shares of all values, by cell.
  using Shares = std::array<double, kCells>;

  struct Span {
    double left = 0.0;
    double right = 0.0;

    double width() const { return right - left; }
    bool operator==(const Span&) const = default;
  };

  /// Where a format represents values, as far as the axis goes.
  struct Window {
    Span normal;
    Span subnormal;            ///< to the left of it
    bool is_cut_left = false;  ///< it goes on beyond the axis
    bool is_cut_right = false;
  };

  ExponentAxis(double left, double width) : left_(left), cell_width_(width / kCells) {}

  Span cell(int cell) const { return {left_ + cell * cell_width_, left_ + (cell + 1) * cell_width_}; }
  /// Returns the cell of a point; empty beside the axis.
  std::optional<int> cellAt(double x) const;
  /// Place of 2^power, which may be no whole number; a power beyond the axis is at its end.
  double x(double power) const;
  Window window(const FloatFormat& format) const;

  static Counts countsOf(const ExponentHistogram& histogram);
  /// All 0 without values.
  static Shares sharesOf(const Counts& counts);
  /// "2^3 to 2^4", "below 2^-40".
  static QString textOf(int cell);
  /// "2^3 to 2^4: 12.5 % of the values, 1000".
  static QString textOf(int cell, const Counts& counts);

 private:
  double left_;
  double cell_width_;
};

/// 1 for all values, less by an equal part each decade, 0 for one in a million or less. NaN for none.
double heatOfShare(double share);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <optional>

#include "reports/records/exponents.h"

namespace ampprof::gui {

/// Range of a floating point format.
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

/// Maps the exponents of an ExponentHistogram to x coordinates: a cell for each power of two from 2^-40 to 2^24, and at
/// each end a tail cell for all smaller or larger values. Lengths are in pixels.
class ExponentAxis {
 public:
  static constexpr int kLowest = -40;  ///< kLowest, kHighest: exponents at the ends of the cells between the tails
  static constexpr int kHighest = 24;
  static constexpr int kCells = kHighest - kLowest + 2;

  /// Number of values in each cell.
  using Counts = std::array<std::int64_t, kCells>;
  /// Fraction of all values in each cell.
  using Shares = std::array<double, kCells>;

  struct Span {
    double left = 0.0;
    double right = 0.0;

    double width() const { return right - left; }
    bool operator==(const Span&) const = default;
  };

  /// Range of a format, clipped to the axis.
  struct Window {
    Span normal;
    Span subnormal;            ///< left of `normal`
    bool is_cut_left = false;  ///< the range continues beyond the left end of the axis
    bool is_cut_right = false;
  };

  ExponentAxis(double left, double width) : left_(left), cell_width_(width / kCells) {}

  Span cell(int cell) const { return {left_ + cell * cell_width_, left_ + (cell + 1) * cell_width_}; }
  /// Returns the cell at a coordinate; empty outside the axis.
  std::optional<int> cellAt(double x) const;
  /// Returns the coordinate of 2^power. `power` need not be an integer; powers beyond the axis map to its ends.
  double x(double power) const;
  Window window(const FloatFormat& format) const;

  static Counts countsOf(const ExponentHistogram& histogram);
  /// Returns the share of each cell; zeros if there are no values.
  static Shares sharesOf(const Counts& counts);
  /// Returns the range of a cell: "2^3 to 2^4", "below 2^-40".
  static QString textOf(int cell);
  /// Returns the range of a cell, its share and its count: "2^3 to 2^4: 12.5 % of the values, 1000".
  static QString textOf(int cell, const Counts& counts);

 private:
  double left_;
  double cell_width_;
};

/// Returns the heat of a cell with this share of all values: linear in log10(share), from 0 for a share of 1e-6 or less
/// to 1 for a share of 1. NaN for a share of 0.
double heatOfShare(double share);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/data/worst_sites.h"
#include "reports/queries/report.h"

namespace ampprof::gui {

/// Lays out the errors of call sites as a grid: a row per call site, a column per recorded step or per several
/// consecutive ones. Leaves out errors of calls outside steps. Errors are mean errors in ulp of the output's type, or
/// relative L2 errors, on a logarithmic scale of whole decades.
class ErrorGrid {
 public:
  enum class Measure { Ulp, Relative };

  /// The largest error in one row and column.
  struct Cell {
    std::optional<double> size = {};  ///< error in the unit of measure(); empty if no finite error was measured
    /// Mean |y - r| in ulp, from the measurement with this `size`. y: output, r: reference.
    double ulp = 0.0;
    double relative = 0.0;  ///< relative L2 error of the same measurement
    std::int64_t step = 0;  ///< first step with an unexpected NaN or inf; else the step of the largest error
    /// False: in a step of the column, an output has an unexpected NaN or inf, or an error is not finite.
    bool is_finite = true;

    bool isEmpty() const { return !size && is_finite; }
  };

  ErrorGrid() = default;
  /// Creates at most max(1, `most_columns`) columns.
  ErrorGrid(const std::vector<SiteErrors>& sites, int most_columns, Measure measure);

  int rows() const { return static_cast<int>(cells_.size()); }
  int columns() const { return static_cast<int>(steps_.size()); }
  const Cell& cell(int row, int column) const { return cells_.at(index(row)).at(index(column)); }
  /// Returns the first and last recorded step of a column.
  const queries::StepSpan& steps(int column) const { return steps_.at(index(column)); }

  Measure measure() const { return measure_; }
  /// The scale goes from 10^lowestDecade() to 10^highestDecade().
  int lowestDecade() const { return lowest_; }
  int highestDecade() const { return highest_; }
  /// Returns the position of an error on the scale, from 0 to 1.
  double heat(double size) const;

 private:
  static std::size_t index(int place) { return static_cast<std::size_t>(place); }
  void fill(const SiteErrors& site, std::vector<Cell>& row) const;
  void fitScale();

  Measure measure_ = Measure::Ulp;
  std::vector<queries::StepSpan> steps_;
  std::vector<std::vector<Cell>> cells_;  ///< indexed by row, then by column
  int lowest_ = -1;
  int highest_ = 0;
};

}  // namespace ampprof::gui

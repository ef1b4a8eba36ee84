// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/data/worst_sites.h"
#include "reports/queries/report.h"

namespace ampprof::gui {

/// Lays out the errors of call sites as a grid: a row for each call site, a column for one recorded step or several
/// that follow each other; what belongs to no step is left out. Errors are means in ulp of the output's type, or
/// relative, on a logarithmic scale of whole decades.
class ErrorGrid {
 public:
  enum class Measure { Ulp, Relative };

  /// Holds the worst error in one row and column.
  struct Cell {
    std::optional<double> size = {};  ///< in the measure of the grid; empty where no finite error was measured
    double ulp = 0.0;                 ///< mean of |y - r|, of the same error
    double relative = 0.0;            ///< relative L2, of the same error
    std::int64_t step = 0;            ///< in which it was
    bool is_finite = true;            ///< no step of the column has a NaN or inf that was not expected

    bool isEmpty() const { return !size && is_finite; }
  };

  ErrorGrid() = default;
  /// Makes at most `most_columns` columns, at least one.
  ErrorGrid(const std::vector<SiteErrors>& sites, int most_columns, Measure measure);

  int rows() const { return static_cast<int>(cells_.size()); }
  int columns() const { return static_cast<int>(steps_.size()); }
  const Cell& cell(int row, int column) const { return cells_.at(index(row)).at(index(column)); }
  /// Returns the recorded steps of a column, from the first to the last.
  const queries::StepSpan& steps(int column) const { return steps_.at(index(column)); }

  Measure measure() const { return measure_; }
  /// The scale goes from 10^lowestDecade() to 10^highestDecade().
  int lowestDecade() const { return lowest_; }
  int highestDecade() const { return highest_; }
  /// Returns where an error lies on the scale, from 0 to 1.
  double heat(double size) const;

 private:
  static std::size_t index(int place) { return static_cast<std::size_t>(place); }
  void fill(const SiteErrors& site, std::vector<Cell>& row) const;
  void fitScale();

  Measure measure_ = Measure::Ulp;
  std::vector<queries::StepSpan> steps_;
  std::vector<std::vector<Cell>> cells_;  ///< by row, then by column
  int lowest_ = -1;
  int highest_ = 0;
};

}  // namespace ampprof::gui

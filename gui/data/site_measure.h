// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::gui {

/// How values of several call sites are combined.
enum class Total {
  Sum,            ///< for times
  RootOfSquares,  ///< for loss changes: squares of independent changes add up
  Largest,        ///< for relative errors, which cannot be added
};

/// A quantity of call sites that pictures show as area or colour.
struct SiteMeasure {
  const char* name;         ///< label in a combo box, also for screen readers
  const char* nothing;      ///< tells the user how to record the measure if no call site has it
  std::string_view figure;  ///< name of the measure in compare::site_metrics()
  Total total;
  /// Returns the value of a call site; `steps`: recorded steps of the run.
  std::optional<double> (*of)(const queries::OpRow&, double steps);
  std::string (*show)(double);
  std::string_view figure_on_gpu = {};  ///< replaces `figure` if the run had a GPU
};

/// Returns all measures. To add one, add a line in site_measure.cpp.
std::span<const SiteMeasure> siteMeasures();

/// Indices into siteMeasures() of the initial choices for areas (time) and colours (loss change, else local error).
inline constexpr std::size_t kTimeMeasure = 0;
inline constexpr std::size_t kLossMeasure = 1;
inline constexpr std::size_t kLocalErrorMeasure = 2;

/// Returns the weight of a value in a sum: the value for Total::Sum, else its square. Infinity stays infinite.
double weightOf(const SiteMeasure& measure, double figure);

/// Combines values as `measure.total` says; NaN if one of them is NaN, empty if none is known.
std::optional<double> totalOf(const SiteMeasure& measure, const std::vector<std::optional<double>>& figures);

}  // namespace ampprof::gui

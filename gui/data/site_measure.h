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

/// Says what several call sites come to.
enum class Total {
  Sum,            ///< times
  RootOfSquares,  ///< changes of the loss: independent ones add up as squares
  Largest,        ///< relative errors, which do not add up
};

/// A figure of call sites that pictures show as areas, or as colours.
struct SiteMeasure {
  const char* name;         ///< in a box to choose from, also a screen reader's
  const char* nothing;      ///< says how to record it where no call site has it
  std::string_view figure;  ///< of compare::site_figures()
  Total total;
  std::optional<double> (*of)(const queries::OpRow&, double steps);  ///< `steps`: recorded ones of its run
  std::string (*show)(double);
  std::string_view figure_on_gpu = {};  ///< in place of `figure` where the run saw a GPU
};

/// To add one: a line in site_measure.cpp.
std::span<const SiteMeasure> siteMeasures();

/// Places among siteMeasures() that pictures begin with.
inline constexpr std::size_t kTimeMeasure = 0;
inline constexpr std::size_t kLossMeasure = 1;
inline constexpr std::size_t kLocalErrorMeasure = 2;

/// Returns what a figure weighs in a sum: itself, or its square where only squares add up. Infinity stays.
double weightOf(const SiteMeasure& measure, double figure);

/// Returns what figures come to, NaN where one is; empty without any.
std::optional<double> totalOf(const SiteMeasure& measure, const std::vector<std::optional<double>>& figures);

}  // namespace ampprof::gui

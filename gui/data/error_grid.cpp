// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/error_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace ampprof::gui {
namespace {

// Correct rounding has errors of up to 0.5 ulp, so decades below 0.1 are not informative.
constexpr int kLowestDecadeOfUlp = -1;
constexpr int kLowestDecade = -9;  // for relative errors: below the rounding error of FP32
constexpr std::int64_t kNoStep = 0;

/// Splits steps into at most `most` spans, whose numbers of steps differ by at most one.
std::vector<queries::StepSpan> spansOf(const std::set<std::int64_t>& steps, int most) {
  const std::vector<std::int64_t> all(steps.begin(), steps.end());
  const std::size_t count = std::min(all.size(), static_cast<std::size_t>(std::max(1, most)));
  std::vector<queries::StepSpan> spans;
  for (std::size_t span = 0; span < count; ++span) {
    const std::size_t first = span * all.size() / count;
    const std::size_t next = (span + 1) * all.size() / count;
    spans.push_back({.first = all[first], .last = all[next - 1]});
  }
  return spans;
}

double sizeOf(const ErrorStats& error, ErrorGrid::Measure measure) {
  return measure == ErrorGrid::Measure::Ulp ? error.mean_ulp() : error.relative_l2();
}

void addTo(ErrorGrid::Cell& cell, const queries::StepError& error, ErrorGrid::Measure measure) {
  const double size = error.local ? sizeOf(*error.local, measure) : 0.0;
  if (error.nonfinite_calls > 0 || !std::isfinite(size)) {
    if (cell.is_finite) cell.step = error.step;
    cell.is_finite = false;
  }
  if (!error.local || !std::isfinite(size) || (cell.size && *cell.size >= size)) return;
  cell.size = size;
  cell.ulp = error.local->mean_ulp();
  cell.relative = error.local->relative_l2();
  if (cell.is_finite) cell.step = error.step;
}

}  // namespace

ErrorGrid::ErrorGrid(const std::vector<SiteErrors>& sites, int most_columns, Measure measure) : measure_(measure) {
  std::set<std::int64_t> steps;
  for (const SiteErrors& site : sites) {
    for (const queries::StepError& error : site.errors) steps.insert(error.step);
  }
  steps.erase(kNoStep);
  steps_ = spansOf(steps, most_columns);
  cells_.assign(sites.size(), std::vector<Cell>(steps_.size()));
  for (std::size_t row = 0; row < sites.size(); ++row) fill(sites[row], cells_[row]);
  fitScale();
}

void ErrorGrid::fill(const SiteErrors& site, std::vector<Cell>& row) const {
  std::size_t column = 0;
  for (const queries::StepError& error : site.errors) {
    if (error.step == kNoStep) continue;
    while (steps_[column].last < error.step) ++column;
    addTo(row[column], error, measure_);
  }
}

void ErrorGrid::fitScale() {
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const std::vector<Cell>& row : cells_) {
    for (const Cell& cell : row) {
      if (!cell.size || *cell.size <= 0.0) continue;
      least = std::min(least, *cell.size);
      most = std::max(most, *cell.size);
    }
  }
  if (most == 0.0) return;
  const int floor = measure_ == Measure::Ulp ? kLowestDecadeOfUlp : kLowestDecade;
  lowest_ = std::max(floor, static_cast<int>(std::floor(std::log10(least))));
  highest_ = std::max(lowest_ + 1, static_cast<int>(std::ceil(std::log10(most))));
}

double ErrorGrid::heat(double size) const {
  return size > 0.0 ? std::clamp((std::log10(size) - lowest_) / (highest_ - lowest_), 0.0, 1.0) : 0.0;
}

}  // namespace ampprof::gui

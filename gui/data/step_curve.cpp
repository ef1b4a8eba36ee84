// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/step_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reports/queries/site_steps.h"

namespace ampprof::gui {
namespace {

using Error = std::optional<ErrorStats> queries::SiteStepRow::*;

std::optional<double> finite_error(const queries::SiteStepRow& row, Error which) {
  if (!(row.*which)) return std::nullopt;
  const double error = (row.*which)->relative_l2();
  return std::isfinite(error) ? std::optional(error) : std::nullopt;
}

bool overflows(const queries::SiteStepRow& row) {
  const auto is_lost = [&](Error which) { return (row.*which) && !finite_error(row, which); };
  return row.nonfinite_calls > 0 || is_lost(&queries::SiteStepRow::local) || is_lost(&queries::SiteStepRow::inherited);
}

/// Returns the exponents of the decades that enclose all errors above 0; 0 and 1 if there are none.
std::pair<int, int> decades_of(const std::vector<queries::SiteStepRow>& rows) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const queries::SiteStepRow& row : rows) {
    for (const Error which : {&queries::SiteStepRow::local, &queries::SiteStepRow::inherited}) {
      const double error = finite_error(row, which).value_or(0.0);
      if (error > 0.0) least = std::min(least, error);
      most = std::max(most, error);
    }
  }
  if (most == 0.0) return {0, 1};
  const int low = static_cast<int>(std::floor(std::log10(least)));
  return {low, std::max(low + 1, static_cast<int>(std::ceil(std::log10(most))))};
}

std::vector<StepCurve::Line> lines_of(const std::vector<queries::SiteStepRow>& rows, Error which,
                                      const StepCurve& curve) {
  std::vector<StepCurve::Line> lines;
  bool is_going_on = false;
  for (const queries::SiteStepRow& row : rows) {
    const auto error = finite_error(row, which);
    if (error && !is_going_on) lines.emplace_back();
    if (error) lines.back().emplace_back(curve.x(row.step), curve.y(*error));
    is_going_on = error.has_value();
  }
  return lines;
}

}  // namespace

StepCurve::StepCurve(const std::vector<queries::SiteStepRow>& rows, const QRectF& area) : area_(area) {
  if (rows.empty()) return;
  first_step_ = rows.front().step;
  last_step_ = rows.back().step;
  std::tie(lowest_, highest_) = decades_of(rows);
  local_ = lines_of(rows, &queries::SiteStepRow::local, *this);
  inherited_ = lines_of(rows, &queries::SiteStepRow::inherited, *this);
  for (const queries::SiteStepRow& row : rows) {
    if (gui::overflows(row)) overflows_.push_back(x(row.step));
  }
}

double StepCurve::x(std::int64_t step) const {
  if (last_step_ <= first_step_) return area_.center().x();
  const auto span = static_cast<double>(last_step_) - static_cast<double>(first_step_);
  return area_.left() + area_.width() * (static_cast<double>(step) - static_cast<double>(first_step_)) / span;
}

double StepCurve::y(double error) const {
  const double place = error > 0.0 ? (std::log10(error) - lowest_) / (highest_ - lowest_) : 0.0;
  return area_.bottom() - area_.height() * std::clamp(place, 0.0, 1.0);
}

const queries::SiteStepRow& StepCurve::nearest(const std::vector<queries::SiteStepRow>& rows, const QRectF& area,
                                               double x) {
  const StepCurve curve(rows, area);
  return *std::ranges::min_element(rows, {},
                                   [&](const queries::SiteStepRow& row) { return std::abs(curve.x(row.step) - x); });
}

}  // namespace ampprof::gui

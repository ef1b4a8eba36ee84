// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <vector>

namespace ampprof::queries {
struct SiteStepRow;
}

namespace ampprof::gui {

/// Draws what one call site measured step after step, as lines within a rectangle: steps from left to right, relative
/// errors upward on a logarithmic axis of whole decades. Errors of 0 lie on the bottom.
class StepCurve {
 public:
  using Line = std::vector<QPointF>;

  StepCurve() = default;
  /// `rows` ascend by step.
  StepCurve(const std::vector<queries::SiteStepRow>& rows, const QRectF& area);

  bool isEmpty() const { return local_.empty() && inherited_.empty() && overflows_.empty(); }
  /// In pieces: a step in which no finite error was measured ends one.
  const std::vector<Line>& local() const { return local_; }
  const std::vector<Line>& inherited() const { return inherited_; }
  /// x of the steps with a NaN or inf that was not expected, or with an error that is not finite.
  const std::vector<double>& overflows() const { return overflows_; }
  /// The axis goes from 10^lowestDecade() to 10^highestDecade().
  int lowestDecade() const { return lowest_; }
  int highestDecade() const { return highest_; }

  double x(std::int64_t step) const;
  double y(double error) const;
  /// The row whose step is next to x; there must be one.
  static const queries::SiteStepRow& nearest(const std::vector<queries::SiteStepRow>& rows, const QRectF& area,
                                             double x);

 private:
  QRectF area_;
  std::int64_t first_step_ = 0;
  std::int64_t last_step_ = 0;
  int lowest_ = 0;
  int highest_ = 1;
  std::vector<Line> local_;
  std::vector<Line> inherited_;
  std::vector<double> overflows_;
};

}  // namespace ampprof::gui

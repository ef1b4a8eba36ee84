// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <vector>

namespace ampprof::queries {
struct SiteStepRow;
}

namespace ampprof::gui {

/// Lays out the errors of one call site over the steps as lines in a rectangle: x is the step, y the relative error on
/// a logarithmic axis of whole decades. Errors of 0 are on the bottom edge.
class StepCurve {
 public:
  using Line = std::vector<QPointF>;

  StepCurve() = default;
  /// Lays out `rows`, which must ascend by step, in `area`.
  StepCurve(const std::vector<queries::SiteStepRow>& rows, const QRectF& area);

  bool isEmpty() const { return local_.empty() && inherited_.empty() && overflows_.empty(); }
  /// Returns polylines. A step without a finite error splits the line.
  const std::vector<Line>& local() const { return local_; }
  const std::vector<Line>& inherited() const { return inherited_; }
  /// Returns x coordinates of the steps with an unexpected NaN or inf, or with an error that is not finite.
  const std::vector<double>& overflows() const { return overflows_; }
  /// The axis goes from 10^lowestDecade() to 10^highestDecade().
  int lowestDecade() const { return lowest_; }
  int highestDecade() const { return highest_; }

  double x(std::int64_t step) const;
  double y(double error) const;
  /// Returns the row whose step is closest to x. `rows` must not be empty.
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

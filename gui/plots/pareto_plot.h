// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "gui/data/recipe_curve.h"

class QCPGraph;
class QCustomPlot;

namespace ampprof::gui {

/// Plots the time of a step's matmuls against predicted impact: the trade-off curve, one recipe for all matmuls, and
/// the choice on the page.
class ParetoPlot : public QWidget {
  Q_OBJECT

 public:
  explicit ParetoPlot(QWidget* parent = nullptr);

  void draw(const RecipeCurve& curve);
  /// Marks one dot beside the curve; empty clears the mark.
  void mark(const std::optional<CurveDot>& dot);

 private:
  double xOf(const CurveDot& dot) const;
  void label(const CurveDot& dot);
  void markTolerance();

  QCustomPlot* plot_;
  QCPGraph* marked_ = nullptr;  ///< the marked dot; owned by the plot
  double least_share_ = 1.0;    ///< x position for an impact of 0, which a logarithmic axis lacks
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "gui/data/recipe_curve.h"

class QCPGraph;
class QCustomPlot;

namespace ampprof::gui {

/// Plots the time of a step's matmuls against predicted impact: the trade-off curve, a dot for each recipe used for all
/// matmuls, and a dot for the marks on the page.
class ParetoPlot : public QWidget {
  Q_OBJECT

 public:
  explicit ParetoPlot(QWidget* parent = nullptr);

  void draw(const RecipeCurve& curve);
  /// Shows the dot for the marks on the page; an empty `dot` removes it.
  void mark(const std::optional<CurveDot>& dot);

 private:
  double xOf(const CurveDot& dot) const;
  void label(const CurveDot& dot);
  void markTolerance();

  QCustomPlot* plot_;
  QCPGraph* marked_ = nullptr;  ///< the dot for the marks on the page; owned by the plot
  double least_share_ = 1.0;    ///< share at which an impact of 0 is drawn, since a logarithmic axis has no 0
};

}  // namespace ampprof::gui

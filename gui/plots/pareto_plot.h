// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "gui/data/recipe_curve.h"

class QCPGraph;
class QCustomPlot;

namespace ampprof::gui {

/// Time of a step's matmuls against predicted damage: the least time at most damage, one recipe wherever it can be, and
/// what is chosen on the page.
class ParetoPlot : public QWidget {
  Q_OBJECT

 public:
  explicit ParetoPlot(QWidget* parent = nullptr);

  void draw(const RecipeCurve& curve);
  /// Marks one dot beside the curve; none where it is empty.
  void mark(const std::optional<CurveDot>& dot);

 private:
  double xOf(const CurveDot& dot) const;
  void label(const CurveDot& dot);
  void markTolerance();

  QCustomPlot* plot_;
  QCPGraph* marked_ = nullptr;  ///< of what is shown; the plot owns it
  double least_share_ = 1.0;    ///< where damage of nothing stands, which a logarithm has no place for
};

}  // namespace ampprof::gui

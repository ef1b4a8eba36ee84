// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "reports/queries/losses.h"

namespace ampprof::gui {

/// A small plot of a run's loss over its steps, which shows whether the loss falls, jumps, or is not finite.
class LossStrip : public QWidget {
  Q_OBJECT

 public:
  /// Plots `losses`, which must ascend by step.
  explicit LossStrip(std::vector<queries::StepValue> losses, QWidget* parent = nullptr);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<queries::StepValue> losses_;
  double least_ = 0.0;
  double largest_ = 0.0;  ///< largest finite loss
};

}  // namespace ampprof::gui

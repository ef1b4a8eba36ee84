// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "reports/records/exponents.h"

namespace ampprof::gui {

/// Shows the distribution of values by magnitude, from 2^-40 to 2^24, below the ranges of FP16 and BF16.
class ValuesStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ValuesStrip(const ExponentHistogram& values, QWidget* parent = nullptr);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int axisPart() const;

  ExponentHistogram values_;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "reports/queries/spans.h"

namespace ampprof::gui {

/// The colours of a timeline's lanes of one kind, each with its name.
class TimelineLegend : public QWidget {
 public:
  explicit TimelineLegend(LaneKind lanes, QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  LaneKind lanes_;
};

}  // namespace ampprof::gui

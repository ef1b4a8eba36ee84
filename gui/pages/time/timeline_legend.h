// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "reports/queries/spans.h"

namespace ampprof::gui {

/// Legend for the classes of one TrackKind.
class TimelineLegend : public QWidget {
 public:
  explicit TimelineLegend(queries::TrackKind tracks, QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  queries::TrackKind tracks_;
};

}  // namespace ampprof::gui

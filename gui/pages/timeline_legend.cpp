// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/timeline_legend.h"

#include <QPainter>

#include "gui/delegates/precision_colours.h"
#include "gui/models/timeline_text.h"

namespace ampprof::gui {
namespace {

constexpr int kGap = 14;

QList<PrecisionClass> classes() {
  QList<PrecisionClass> all;
  for (std::size_t kind = 0; kind < kPrecisionClasses; ++kind) all << static_cast<PrecisionClass>(kind);
  return all;
}

}  // namespace

TimelineLegend::TimelineLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName("Colours of the timeline");
  setToolTip("Hatched: several op calls that are too narrow to be drawn apart");
}

QSize TimelineLegend::sizeHint() const {
  int width = 0;
  for (const PrecisionClass kind : classes()) {
    width += fontMetrics().height() + 4 + fontMetrics().horizontalAdvance(nameOf(kind)) + kGap;
  }
  return {width, fontMetrics().height() + 6};
}

void TimelineLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const int side = fontMetrics().height();
  int x = 0;
  for (const PrecisionClass kind : classes()) {
    painter.fillRect(x, (height() - side) / 2 + 2, side - 4, side - 4, colourOf(kind, palette()));
    x += side + 4;
    const int width = fontMetrics().horizontalAdvance(nameOf(kind));
    painter.drawText(QRect(x, 0, width + 1, height()), Qt::AlignVCenter, nameOf(kind));
    x += width + kGap;
  }
}

}  // namespace ampprof::gui

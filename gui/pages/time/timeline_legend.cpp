// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/time/timeline_legend.h"

#include <QPainter>

#include "gui/delegates/precision_colours.h"
#include "gui/models/timeline_text.h"

namespace ampprof::gui {
namespace {

constexpr int kEntryGap = 14;

}  // namespace

TimelineLegend::TimelineLegend(queries::TrackKind tracks, QWidget* parent) : QWidget(parent), tracks_(tracks) {
  const bool is_of_threads = tracks == queries::TrackKind::Threads;
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(is_of_threads ? "Colours of the timeline" : "Colours of GPU activities");
  setToolTip(is_of_threads ? "Hatched: several op calls that are too narrow to be drawn separately"
                           : "Colours show whether kernels ran on Tensor Cores, as far as their names tell. Zoomed-out "
                             "bars have no names, so all kernels have one colour there.");
}

QSize TimelineLegend::sizeHint() const {
  int width = 0;
  for (const QString& name : classNames(tracks_)) {
    width += fontMetrics().height() + 4 + fontMetrics().horizontalAdvance(name) + kEntryGap;
  }
  return {width, fontMetrics().height() + 6};
}

void TimelineLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const int side = fontMetrics().height();
  int x = 0;
  std::size_t kind = 0;
  for (const QString& name : classNames(tracks_)) {
    painter.fillRect(x, (height() - side) / 2 + 2, side - 4, side - 4, colourOf(tracks_, kind++, palette()));
    x += side + 4;
    const int width = fontMetrics().horizontalAdvance(name);
    painter.drawText(QRect(x, 0, width + 1, height()), Qt::AlignVCenter, name);
    x += width + kEntryGap;
  }
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/roomy_style.h"

#include <QAbstractItemView>
#include <QHeaderView>

namespace ampprof::gui {
namespace {

constexpr int kRoom = 5;  // pixels left and right of a cell's text
constexpr int kRoomBelow = 4;

}  // namespace

QSize RoomyStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
  const QSize needed = QProxyStyle::sizeFromContents(type, option, size, widget);
  return type == CT_ItemViewItem ? needed + QSize(0, kRoomBelow) : needed;
}

int RoomyStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  if (metric == PM_FocusFrameHMargin) return kRoom - 1;  // item views add one pixel
  if (metric == PM_HeaderMargin) return kRoom;
  return QProxyStyle::pixelMetric(metric, option, widget);
}

void makeRoomy(QAbstractItemView* view, QHeaderView* header) {
  auto* style = new RoomyStyle;
  style->setParent(view);  // widgets do not own their style
  view->setStyle(style);
  header->setStyle(style);
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QAbstractItemView;
class QHeaderView;

namespace ampprof::gui {

/// The application's style with more padding in cells: right-aligned numbers do not touch a text column on their right,
/// and check boxes below each other do not touch.
class RoomyStyle : public QProxyStyle {
  Q_OBJECT

 public:
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

/// Sets this style for a table or tree and its header.
void makeRoomy(QAbstractItemView* view, QHeaderView* header);

}  // namespace ampprof::gui

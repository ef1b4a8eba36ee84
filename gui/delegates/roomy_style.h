// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QAbstractItemView;
class QHeaderView;

namespace ampprof::gui {

/// The application's style, with more room around cells: a column of numbers, which end at its right, may stand beside
/// one of words, and check boxes above each other do not touch.
class RoomyStyle : public QProxyStyle {
  Q_OBJECT

 public:
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

/// Gives a table or tree, and its header, that style.
void makeRoomy(QAbstractItemView* view, QHeaderView* header);

}  // namespace ampprof::gui

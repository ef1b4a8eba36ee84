// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QAbstractItemView;
class QHeaderView;

namespace ampprof::gui {

/// The application's style, with more room at the sides of cells: a column of numbers, which end at its right, may
/// stand beside one of words.
class RoomyStyle : public QProxyStyle {
  Q_OBJECT

 public:
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

/// Gives a table or tree, and its header, that style.
void makeRoomy(QAbstractItemView* view, QHeaderView* header);

}  // namespace ampprof::gui

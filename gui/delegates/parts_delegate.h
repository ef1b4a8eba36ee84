// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QStyledItemDelegate>
#include <cstddef>
#include <vector>

namespace ampprof::gui {

/// Returns the shade of a part, one of three of one hue, which differ in grey as well.
QColor partShade(std::size_t part);

/// Parts a bar by shares that add up to 1, from the left.
std::vector<QRectF> partRects(const QRectF& bar, const std::vector<double>& shares);

/// Paints such a bar in partShade(), with a frame, since the lightest shade is near the ground.
void paintParts(QPainter& painter, const QRectF& bar, const std::vector<double>& shares, const QPalette& palette);

/// Paints a stacked bar below a text, of the parts of a MarkedTree's cell.
class PartsDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui

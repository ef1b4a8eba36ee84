// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QStyledItemDelegate>
#include <cstddef>
#include <vector>

namespace ampprof::gui {

/// Returns the shade for part 0, 1 or 2. The shades have one hue and also differ in greyscale.
QColor partShade(std::size_t part);

/// Splits a bar from left to right by shares that add up to 1.
std::vector<QRectF> partRects(const QRectF& bar, const std::vector<double>& shares);

/// Paints a split bar in partShade(). It has a frame, since the lightest shade is similar to the background.
void paintParts(QPainter& painter, const QRectF& bar, const std::vector<double>& shares, const QPalette& palette);

/// Paints a stacked bar below the text of a cell, from MarkedTree::PartsRole.
class PartsDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QStyledItemDelegate>
#include <cstddef>
#include <vector>

namespace ampprof::gui {

/// Returns the shade for part 0, 1 or 2. The shades have one hue and also differ in greyscale.
QColor partShade(std::size_t part);

/// Splits a bar into one rectangle per share, from left to right. The shares must add up to 1.
std::vector<QRectF> partRects(const QRectF& bar, const std::vector<double>& shares);

/// Paints a bar whose parts have the colours partShade(). The bar has a frame, since the lightest shade is similar to
/// the background.
void paintParts(QPainter& painter, const QRectF& bar, const std::vector<double>& shares, const QPalette& palette);

/// Paints a bar of parts below the text of a cell, from MarkedTree::PartsRole.
class PartsDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui

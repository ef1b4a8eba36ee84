// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QStyledItemDelegate>

namespace ampprof::gui {

/// Returns a colour of the scale cividis, from blue at 0 to yellow at 1. The scale stays ordered in greyscale and for
/// colour-blind readers.
QColor cividis(double share);

/// Returns cividis(heat), mixed with as much of `base` as `text` needs to be legible (contrast 4.5). Returns `base` if
/// no mixture suffices.
QColor heatColour(double heat, const QColor& base, const QColor& text);

/// Returns a fainter version of `text`, for numbers without meaning, that is still legible on `base`.
QColor faintColour(const QColor& base, const QColor& text);

/// Paints a bar behind a number. The bar's length and colour show the heat of the cell (MarkedTree::HeatRole). A cell
/// without heat has no bar; if the heat is NaN, the number is grey. A whisker along the lower edge, below the number,
/// shows MarkedTree::WhiskerRole.
class HeatDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintWhisker(QPainter* painter, const QRect& cell, const QModelIndex& index, const QColor& colour) const;
};

}  // namespace ampprof::gui

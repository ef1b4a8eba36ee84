// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QStyledItemDelegate>

namespace ampprof::gui {

/// The scale that stays ordered in grey and to colour-blind eyes: from blue at 0 to yellow at 1.
QColor cividis(double share);

/// cividis(), as much of it on `base` as leaves `text` legible (contrast 4.5), if it is legible on `base`.
QColor heatColour(double heat, const QColor& base, const QColor& text);

/// Returns what `text` fades to where a number means nothing, still legible on `base`.
QColor faintColour(const QColor& base, const QColor& text);

/// Paints a bar behind a number: its length and colour are the heat of a MarkedTree's cell. Without heat it paints as
/// ever; where heat is NaN the number is grey. A whisker along the lower edge shows the interval of a cell that has
/// one.
class HeatDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintWhisker(QPainter* painter, const QRect& cell, const QModelIndex& index, const QColor& colour) const;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QStyledItemDelegate>

namespace ampprof::gui {

/// The scale that stays ordered in grey and to colour-blind eyes: from blue at 0 to yellow at 1.
QColor cividis(double share);

/// Contrast of two colours by WCAG 2: 1 for the same, 21 for black and white.
double contrast(const QColor& a, const QColor& b);

/// cividis(), as much of it on `base` as leaves `text` legible (contrast 4.5), if it is legible on `base`.
QColor heatColour(double heat, const QColor& base, const QColor& text);

/// Returns what `text` fades to where a number means nothing, still legible on `base`.
QColor faintColour(const QColor& base, const QColor& text);

/// Paints a bar behind a number: its length and colour are the heat that a role of the index holds. Without heat it
/// paints as ever; where heat is NaN the number is grey. Where another role holds an interval on the same scale, a
/// QPointF, a whisker along the lower edge shows it.
class HeatDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  static constexpr int kNoWhisker = -1;

  explicit HeatDelegate(int heat_role, QObject* parent = nullptr, int whisker_role = kNoWhisker);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paintWhisker(QPainter* painter, const QRect& cell, const QModelIndex& index, const QColor& colour) const;

  int heat_role_;
  int whisker_role_;
};

}  // namespace ampprof::gui

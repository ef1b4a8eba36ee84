// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>

#include "gui/delegates/tone_delegate.h"

namespace ampprof::gui {

/// A bar along the lower edge of a cell, with a whisker of one standard error to both sides.
struct BarShape {
  QRectF bar;
  QLineF whisker;  ///< null without noise
};

/// `length` and `noise` are shares of the cell's width.
BarShape barShape(const QRectF& cell, double length, double noise);

/// Paints what ToneDelegate does, and a bar below it where the model has one (ViewModel::BarRole).
class BarDelegate : public ToneDelegate {
  Q_OBJECT

 public:
  using ToneDelegate::ToneDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui

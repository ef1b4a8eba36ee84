// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>

#include "gui/delegates/tone_delegate.h"

namespace ampprof::gui {

/// A bar along the lower edge of a cell, with a whisker around the bar's end: one standard error to each side.
struct BarShape {
  QRectF bar;
  QLineF whisker;  ///< a null line if there is no noise
};

/// Lays out a bar in a cell. `length` and `noise` are fractions of the bar's maximum length.
BarShape barShape(const QRectF& cell, double length, double noise);

/// Paints a cell like ToneDelegate, with a bar at the bottom if the model has a ViewModel::BarRole. The text of a cell
/// with a whisker is at the top, so that the whisker does not cover it.
class BarDelegate : public ToneDelegate {
  Q_OBJECT

 public:
  using ToneDelegate::ToneDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui

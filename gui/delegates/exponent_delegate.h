// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/delegates/exponent_painting.h"
#include "gui/delegates/tone_delegate.h"

namespace ampprof::gui {

/// Paints the drawing of exponents in the view "ranges" as a row of a heat map, all else as a ToneDelegate does.
class ExponentDelegate : public ToneDelegate {
  Q_OBJECT

 public:
  using ToneDelegate::ToneDelegate;

  /// The axis of a cell of a table, and of the section of the header above it.
  static ExponentAxis axisIn(const QRect& cell);

  /// Else the drawing is as the terminal has it.
  void setHeatMap(bool is_on) { is_heat_map_ = is_on; }
  void setFormats(Formats formats) { formats_ = formats; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;

  /// Tells what is under x: call site, powers of two, share, number of values and headroom. Empty beside the axis.
  static QString toolTip(const QModelIndex& index, const ExponentAxis& axis, double x);

 private:
  bool isHeat(const QModelIndex& index) const;

  bool is_heat_map_ = true;
  Formats formats_;
};

}  // namespace ampprof::gui

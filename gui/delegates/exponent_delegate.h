// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/delegates/exponent_painting.h"
#include "gui/delegates/tone_delegate.h"

namespace ampprof::gui {

/// Paints the histograms of the view "ranges" as rows of a heat map, and other cells like ToneDelegate.
class ExponentDelegate : public ToneDelegate {
  Q_OBJECT

 public:
  using ToneDelegate::ToneDelegate;

  /// Returns the exponent axis for a table cell or a header section with the rectangle `cell`.
  static ExponentAxis axisIn(const QRect& cell);

  /// Sets whether histograms are painted as a heat map; if not, as characters, like in the terminal.
  void setHeatMap(bool is_on) { is_heat_map_ = is_on; }
  void setFormats(Formats formats) { formats_ = formats; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;

  /// Describes the heat map's cell at `x`: call site, powers of two, share, number of values and headroom. Empty
  /// outside the axis.
  static QString toolTip(const QModelIndex& index, const ExponentAxis& axis, double x);

 private:
  bool isHeat(const QModelIndex& index) const;

  bool is_heat_map_ = true;
  Formats formats_;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/bar_delegate.h"

#include <QPainter>
#include <algorithm>

#include "gui/models/view_model.h"

namespace ampprof::gui {
namespace {

constexpr double kBarMargin = 4.0;  // space left and right of the bar, in pixels
constexpr double kHeight = 3.0;
constexpr double kCap = 2.0;  // height of the whisker's end caps, in pixels, above and below the line

}  // namespace

BarShape barShape(const QRectF& cell, double length, double noise) {
  const double whole = std::max(cell.width() - 2 * kBarMargin, 0.0);
  const double left = cell.left() + kBarMargin;
  const double top = cell.bottom() - kHeight - 1;
  const auto x = [&](double share) { return left + whole * std::clamp(share, 0.0, 1.0); };
  BarShape shape{.bar = QRectF(left, top, x(length) - left, kHeight), .whisker = {}};
  const double middle = top + kHeight / 2;
  if (noise > 0) shape.whisker = QLineF(x(length - noise), middle, x(length + noise), middle);
  return shape;
}

void BarDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  ToneDelegate::initStyleOption(option, index);
  if (index.data(ViewModel::NoiseRole).toDouble() > 0)
    option->displayAlignment = (option->displayAlignment & Qt::AlignHorizontal_Mask) | Qt::AlignTop;
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  ToneDelegate::paint(painter, option, index);
  const QVariant length = index.data(ViewModel::BarRole);
  if (!length.isValid()) return;
  const BarShape shape = barShape(option.rect, length.toDouble(), index.data(ViewModel::NoiseRole).toDouble());
  QColor colour = option.palette.color(QPalette::Highlight);
  colour.setAlphaF(0.6F);
  painter->fillRect(shape.bar, colour);
  if (shape.whisker.isNull()) return;
  painter->save();
  painter->setPen(option.palette.color(QPalette::Text));
  painter->drawLine(shape.whisker);
  for (const QPointF& end : {shape.whisker.p1(), shape.whisker.p2()}) {
    painter->drawLine(end - QPointF(0, kCap), end + QPointF(0, kCap));
  }
  painter->restore();
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/heat_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "gui/delegates/mark_strip.h"
#include "gui/look/look.h"
#include "gui/models/marked_tree.h"

namespace ampprof::gui {
namespace {

constexpr double kLegible = 4.5;  // minimum contrast for text by WCAG 2, level AA
constexpr double kShortestBar = 0.06;
constexpr int kWhiskerCap = 2;  // height of the whisker's end caps, in pixels, above and below the line

struct Rgb {
  double red, green, blue;
};

constexpr std::array<Rgb, 5> kCividis{{{0, 32, 77}, {65, 77, 107}, {124, 123, 120}, {188, 175, 111}, {255, 234, 70}}};

double between(double a, double b, double share) { return a + (b - a) * share; }

QColor mixed(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(static_cast<float>(between(a.redF(), b.redF(), share)),
                          static_cast<float>(between(a.greenF(), b.greenF(), share)),
                          static_cast<float>(between(a.blueF(), b.blueF(), share)));
}

/// Mixes the largest share of `b` into `a` for which `is_fine(colour)` holds.
template <class IsFine>
QColor most_of(const QColor& a, const QColor& b, IsFine is_fine) {
  for (double share = 1.0; share > 0.0; share -= 0.05) {
    const QColor colour = mixed(a, b, share);
    if (is_fine(colour)) return colour;
  }
  return a;
}

QPalette::ColorGroup group_of(const QStyleOptionViewItem& option) {
  if (!(option.state & QStyle::State_Enabled)) return QPalette::Disabled;
  return option.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
}

}  // namespace

QColor cividis(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kCividis.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), kCividis.size() - 2);
  const auto part = [&](double Rgb::*which) {
    return static_cast<int>(
        std::lround(between(kCividis[low].*which, kCividis[low + 1].*which, place - static_cast<double>(low))));
  };
  return {part(&Rgb::red), part(&Rgb::green), part(&Rgb::blue)};
}

QColor heatColour(double heat, const QColor& base, const QColor& text) {
  return most_of(base, cividis(heat), [&](const QColor& colour) { return contrast(colour, text) >= kLegible; });
}

QColor faintColour(const QColor& base, const QColor& text) {
  return most_of(text, mixed(text, base, 0.5),
                 [&](const QColor& colour) { return contrast(colour, base) >= kLegible; });
}

void HeatDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant heat = index.data(MarkedTree::HeatRole);
  if (!heat.isValid()) return QStyledItemDelegate::paint(painter, option, index);
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const bool is_selected = cell.state & QStyle::State_Selected;
  const auto group = group_of(cell);
  const QColor base = cell.palette.color(group, is_selected ? QPalette::Highlight : QPalette::Base);
  const auto text_role = is_selected ? QPalette::HighlightedText : QPalette::Text;
  const QColor text = cell.palette.color(group, text_role);
  if (std::isnan(heat.toDouble())) {
    cell.palette.setColor(group, text_role, faintColour(base, text));
    return QStyledItemDelegate::paint(painter, cell, index);
  }
  const double share = std::clamp(heat.toDouble(), 0.0, 1.0);
  const QRect room = cell.rect.adjusted(1, 1, -1, -1);
  QRect bar = room;
  bar.setWidth(static_cast<int>(std::lround(bar.width() * (share > 0 ? std::max(kShortestBar, share) : 0.0))));

  const QWidget* widget = cell.widget;
  QStyle* style = widget ? widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, widget);
  painter->fillRect(bar, heatColour(share, base, text));
  const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, widget) + 1;
  painter->setFont(cell.font);
  const QRect text_room = index.data(MarkedTree::WhiskerRole).isValid() ? aboveMarks(cell.rect) : cell.rect;
  style->drawItemText(painter, text_room.adjusted(margin, 0, -margin, 0), static_cast<int>(cell.displayAlignment),
                      cell.palette, true, cell.text, text_role);
  paintWhisker(painter, room, index, text);
}

void HeatDelegate::paintWhisker(QPainter* painter, const QRect& cell, const QModelIndex& index,
                                const QColor& colour) const {
  const QVariant ends = index.data(MarkedTree::WhiskerRole);
  if (!ends.isValid()) return;
  const auto x = [&](double share) { return cell.left() + cell.width() * std::clamp(share, 0.0, 1.0); };
  const double y = cell.bottom() - kWhiskerCap;
  painter->save();
  painter->setPen(colour);
  painter->drawLine(QLineF(x(ends.toPointF().x()), y, x(ends.toPointF().y()), y));
  for (const double end : {x(ends.toPointF().x()), x(ends.toPointF().y())})
    painter->drawLine(QLineF(end, y - kWhiskerCap, end, y + kWhiskerCap));
  painter->restore();
}

}  // namespace ampprof::gui

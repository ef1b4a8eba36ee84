// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/parts_delegate.h"

#include <QApplication>
#include <QPainter>
#include <array>

#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/mark_strip.h"
#include "gui/models/marked_tree.h"

namespace ampprof::gui {
namespace {

constexpr double kPartsMargin = 4.0;  // space left and right of the bar, in pixels
constexpr double kPartsHeight = 4.0;

constexpr std::array kShades{"#0b4f7d", "#56b4e9", "#d3ebf9"};

}  // namespace

QColor partShade(std::size_t part) { return QColor(kShades.at(part)); }

std::vector<QRectF> partRects(const QRectF& bar, const std::vector<double>& shares) {
  std::vector<QRectF> rects;
  double left = bar.left();
  for (const double share : shares) {
    rects.emplace_back(left, bar.top(), bar.width() * share, bar.height());
    left = rects.back().right();
  }
  return rects;
}

void paintParts(QPainter& painter, const QRectF& bar, const std::vector<double>& shares, const QPalette& palette) {
  const std::vector<QRectF> rects = partRects(bar, shares);
  for (std::size_t part = 0; part < rects.size(); ++part) painter.fillRect(rects[part], partShade(part));
  painter.save();
  painter.setPen(faintColour(palette.color(QPalette::Base), palette.color(QPalette::Text)));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(bar);
  painter.restore();
}

void PartsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant parts = index.data(MarkedTree::PartsRole);
  if (!parts.isValid()) return QStyledItemDelegate::paint(painter, option, index);
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
  const bool is_selected = cell.state & QStyle::State_Selected;
  painter->setFont(cell.font);
  style->drawItemText(painter, QRectF(aboveMarks(cell.rect)).adjusted(kPartsMargin, 0, -kPartsMargin, 0).toRect(),
                      static_cast<int>(cell.displayAlignment), cell.palette, true, cell.text,
                      is_selected ? QPalette::HighlightedText : QPalette::Text);
  std::vector<double> shares;
  for (const QVariant& share : parts.toList()) shares.push_back(share.toDouble());
  const QRectF room = QRectF(cell.rect).adjusted(kPartsMargin, 0, -kPartsMargin, 0);
  paintParts(*painter, QRectF(room.left(), room.bottom() - kPartsHeight - 1, room.width(), kPartsHeight), shares,
             cell.palette);
}

QSize PartsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return QStyledItemDelegate::sizeHint(option, index) + QSize(0, static_cast<int>(kPartsHeight));
}

}  // namespace ampprof::gui

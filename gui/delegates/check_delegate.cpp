// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/check_delegate.h"

#include <QApplication>
#include <QPainter>

#include "gui/delegates/heat_delegate.h"

namespace ampprof::gui {

void CheckDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyledItemDelegate::paint(painter, option, index);
  if (!index.data(Qt::CheckStateRole).isValid()) return;
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  const QRect box = style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &cell, cell.widget);
  painter->save();
  painter->setPen(faintColour(cell.palette.color(QPalette::Base), cell.palette.color(QPalette::Text)));
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(box.adjusted(0, 0, -1, -1));
  painter->restore();
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/exponent_header.h"

#include <algorithm>

#include "gui/delegates/exponent_delegate.h"

namespace ampprof::gui {

ExponentHeader::ExponentHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(true);
}

void ExponentHeader::setAxisSection(std::optional<int> section) {
  axis_ = section;
  fit();
}

void ExponentHeader::setFormats(Formats formats) {
  formats_ = formats;
  fit();
}

void ExponentHeader::fit() {
  updateGeometry();
  emit geometriesChanged();  // makes the table adapt to the new height
  viewport()->update();
}

QSize ExponentHeader::sizeHint() const {
  QSize size = QHeaderView::sizeHint();
  if (axis_) size.setHeight(std::max(size.height(), axisHeight(fontMetrics(), formats_)));
  return size;
}

void ExponentHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const {
  QHeaderView::initStyleOptionForIndex(option, section);
  if (section == axis_) option->text.clear();
}

void ExponentHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
  painter->save();
  QHeaderView::paintSection(painter, rect, section);
  painter->restore();
  if (section == axis_) paintAxis(*painter, rect, ExponentDelegate::axisIn(rect), formats_, palette());
}

}  // namespace ampprof::gui

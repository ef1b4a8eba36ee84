// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/offending_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>

#include "gui/models/offending_sizes.h"
#include "gui/models/view_model.h"

namespace ampprof::gui {
namespace {

QString offendingOf(const QModelIndex& index) {
  const auto* record = index.data(ViewModel::RecordRole).value<const views::Record*>();
  if (record == nullptr) return {};
  const views::Json& offending = views::at_key(record->json, "tensor_core.offending");
  return offending.is_string() ? QString::fromStdString(offending.get<std::string>()) : QString();
}

QList<QTextLayout::FormatRange> boldIn(const QList<TextPart>& parts) {
  QTextCharFormat bold;
  bold.setFontWeight(QFont::Bold);
  QList<QTextLayout::FormatRange> ranges;
  for (const TextPart& part : parts) {
    ranges << QTextLayout::FormatRange{static_cast<int>(part.from), static_cast<int>(part.length), bold};
  }
  return ranges;
}

}  // namespace

void OffendingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QList<TextPart> parts = offendingSizes(item.text, offendingOf(index));
  const QStyle* style = item.widget ? item.widget->style() : QApplication::style();
  const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, item.widget) + 1;
  const QRect place =
      style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget).adjusted(margin, 0, -margin, 0);
  QTextLayout text(item.text, item.font);
  text.setFormats(boldIn(parts));
  text.beginLayout();
  const QTextLine line = text.createLine();
  text.endLayout();
  // ToneDelegate paints text that does not fit: elision removes the middle, so the positions of the parts would be
  // wrong.
  if (parts.isEmpty() || line.naturalTextWidth() > place.width()) return ToneDelegate::paint(painter, option, index);
  item.text.clear();
  style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
  const bool is_selected = item.state & QStyle::State_Selected;
  painter->save();
  painter->setPen(item.palette.color(is_selected ? QPalette::HighlightedText : QPalette::Text));
  text.draw(painter, QPointF(place.left(), place.top() + (place.height() - line.height()) / 2));
  painter->restore();
}

}  // namespace ampprof::gui

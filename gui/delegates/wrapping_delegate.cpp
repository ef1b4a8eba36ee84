// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/wrapping_delegate.h"

#include <QHeaderView>
#include <QTreeView>

namespace ampprof::gui {
namespace {

constexpr QChar kMayBreak(0x200B);  // a space without width

/// Tells whether a name may be broken after a character. A dot before a digit is part of a number.
bool mayBreakBehind(QChar character, QChar next) {
  return character == '/' || character == '_' || character == ',' || (character == '.' && next.isLetter());
}

}  // namespace

QString WrappingDelegate::displayText(const QVariant& value, const QLocale& locale) const {
  const QString text = QStyledItemDelegate::displayText(value, locale);
  QString breakable;
  for (qsizetype i = 0; i < text.size(); ++i) {
    breakable += text[i];
    if (i + 1 < text.size() && mayBreakBehind(text[i], text[i + 1])) breakable += kMayBreak;
  }
  return breakable;
}

QSize WrappingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem wrapped = option;
  // A QTreeView asks for the height of a row without the width of the column.
  if (const auto* tree = qobject_cast<const QTreeView*>(option.widget)) {
    wrapped.rect = QRect(0, 0, tree->columnWidth(index.column()), tree->fontMetrics().height());
  }
  return QStyledItemDelegate::sizeHint(wrapped, index);
}

void wrapColumn(QTreeView* tree, int column) {
  tree->setWordWrap(true);
  tree->setUniformRowHeights(false);
  tree->setItemDelegateForColumn(column, new WrappingDelegate(tree));
  // Queued, since the new layout can resize a section again.
  QObject::connect(tree->header(), &QHeaderView::sectionResized, tree, &QTreeView::doItemsLayout, Qt::QueuedConnection);
}

}  // namespace ampprof::gui

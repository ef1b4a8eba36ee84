// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace ampprof::gui {

/// Wraps texts in a column of a tree: at spaces, and after the parts of paths and names, so that long call sites stay
/// legible. Set it with wrapColumn().
class WrappingDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QString displayText(const QVariant& value, const QLocale& locale) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// Wraps the texts of a column to the column's width, again whenever the width changes. The column must not be the
/// indented first one.
void wrapColumn(QTreeView* tree, int column);

}  // namespace ampprof::gui

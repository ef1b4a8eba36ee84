// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace ampprof::gui {

/// Says where a row stands among rows that share something.
enum class TiePlace { None, Alone, First, Within, Last };

/// Returns where the row of `index` stands among the rows beside it that share its place, as they are ordered.
TiePlace tiePlace(const QModelIndex& index);

/// Paints a bracket beside the text of rows of a MarkedTree that share a place: from the first of them
/// to the last, as far as they follow each other.
class TieDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui

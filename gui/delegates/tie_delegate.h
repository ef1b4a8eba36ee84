// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace ampprof::gui {

/// Position of a row within a tie. None: the rank of the row is not tied. Alone: the rank is tied, but neither adjacent
/// row has the same rank.
enum class TiePlace { None, Alone, First, Within, Last };

/// Returns the position of a row among adjacent sibling rows with the same MarkedTree::TieRole, in the current sort
/// order.
TiePlace tiePlace(const QModelIndex& index);

/// Paints a bracket next to the text of adjacent rows with the same MarkedTree::TieRole.
class TieDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace ampprof::gui {

/// Says where a row stands among rows that share something.
enum class TiePlace { None, Alone, First, Within, Last };

/// Returns where the row of `index` stands among the rows beside it that hold the same in a role, as they are ordered.
TiePlace tiePlace(const QModelIndex& index, int role);

/// Paints a bracket beside the text of rows that share a place, which a role of the index holds: from the first of them
/// to the last, as far as they follow each other.
class TieDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit TieDelegate(int tie_role, QObject* parent = nullptr);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  int tie_role_;
};

}  // namespace ampprof::gui

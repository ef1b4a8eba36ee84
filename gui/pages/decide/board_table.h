// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

#include "gui/models/board_order.h"

namespace ampprof::gui {

/// The rows of the board: how they are painted, which columns a report has something for, and what they come in the
/// order of.
class BoardTable : public QTreeView {
  Q_OBJECT

 public:
  BoardTable(BoardModel& model, BoardOrder& order, QWidget* parent = nullptr);

  /// Hides the columns that tell nothing of a board, null for none.
  void showColumnsFor(const Board* board);
  /// Orders rows as the command line does, unless a user chose another column than those that order by evidence.
  void orderAsUsual();
  void fitColumns();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 signals:
  /// A sentence on the order of the rows.
  void orderSaid(const QString& sentence);

 private:
  void makeDelegates();
  void sayOrder();
  int usualColumn() const;
  void fitSite();

  BoardModel& model_;
  BoardOrder& order_;
  bool shows_estimates_ = false;
};

}  // namespace ampprof::gui

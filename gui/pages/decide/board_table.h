// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

#include "gui/models/board_order.h"

namespace ampprof::gui {

/// The table of the board: delegates, visibility of columns, and sort order.
class BoardTable : public QTreeView {
  Q_OBJECT

 public:
  BoardTable(BoardModel& model, BoardOrder& order, QWidget* parent = nullptr);

  /// Hides the columns for which a board has no data. `board` may be null.
  void showColumnsFor(const Board* board);
  /// Sorts by loss change or local error, like the command line, unless the user sorted by another column.
  void orderAsUsual();
  /// Fits the columns to their texts. Call it when the board has changed.
  void fitColumns();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 signals:
  /// Emitted with a sentence that describes the sort order.
  void orderSaid(const QString& sentence);

 private:
  void makeDelegates();
  void sayOrder();
  int usualColumn() const;
  void fitSites();

  BoardModel& model_;
  BoardOrder& order_;
  bool shows_estimates_ = false;
  int widest_site_ = 0;  ///< width of the longest name, in pixels
};

}  // namespace ampprof::gui

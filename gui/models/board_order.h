// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/board_model.h"
#include "gui/models/value_order.h"

namespace ampprof::gui {

/// Sorts the rows of a board. In the columns LossChange and Rank, rows with overflows come first, since overflows often
/// make the loss change unknown. Rows with equal or unknown loss changes are sorted by number of overflows, then by
/// whether a mark can keep them in FP32, then by local error.
class BoardOrder : public ValueOrder {
  Q_OBJECT

 public:
  using ValueOrder::ValueOrder;

  /// Describes the current order of the rows of a board.
  QString sentence(BoardOrdering ordering) const;

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

 private:
  static bool changesMore(const QModelIndex& a, const QModelIndex& b);
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/board_model.h"
#include "gui/models/value_order.h"

namespace ampprof::gui {

/// Sorts the rows of a board. By loss change and by rank, rows with overflows come first, since overflows often make
/// the loss change unknown. Rows with the same or an unknown loss change are sorted by number of overflows, then those
/// first that can be kept in FP32, then by local error.
class BoardOrder : public ValueOrder {
  Q_OBJECT

 public:
  using ValueOrder::ValueOrder;

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

 private:
  static bool changesMore(const QModelIndex& a, const QModelIndex& b);
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/board_model.h"
#include "gui/models/value_order.h"

namespace ampprof::gui {

/// The rows of a board in an order. By Δ loss, and by rank, what overflows comes before all else: its change of the
/// loss is often not known because it overflows; and of rows whose change is the same, or not known, those that can be
/// kept in FP32 come first, each by local error.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/board_model.h"
#include "gui/models/value_order.h"

namespace ampprof::gui {

/// Orders the rows of a board. By Δ loss and by rank, rows that overflow come before all others: their change of the
/// loss is often unknown because they overflow. Among rows whose change is the same or unknown, those that can be kept
/// in FP32 come first, each by local error.
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

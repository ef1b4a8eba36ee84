// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include "gui/models/board_model.h"

namespace ampprof::gui {

/// The rows of a board in an order. As in a ViewFilter, ascending is the command line's: the largest number first. By Δ
/// loss, and by rank, what overflows comes before all else: its change of the loss is often not known because it
/// overflows; and of rows whose change is the same, or not known, those that can be kept in FP32 come first, each by
/// local error.
class BoardOrder : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit BoardOrder(BoardModel& model, QObject* parent = nullptr);

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
};

}  // namespace ampprof::gui

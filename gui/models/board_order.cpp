// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_order.h"

#include <utility>

namespace ampprof::gui {

bool BoardOrder::changesMore(const QModelIndex& a, const QModelIndex& b) {
  const auto overflows = [](const QModelIndex& index) {
    return index.siblingAtColumn(BoardModel::Overflows).data(BoardModel::ValueRole).toLongLong();
  };
  const auto [first, second] = std::pair(overflows(a), overflows(b));
  if ((first > 0) != (second > 0)) return first > 0;
  const views::Value change = valueOf(a.siblingAtColumn(BoardModel::LossChange));
  const views::Value other = valueOf(b.siblingAtColumn(BoardModel::LossChange));
  if (change != other) return views::comes_before(change, other);
  if (first != second) return first > second;
  const auto can_be_kept = [](const QModelIndex& index) {
    return index.siblingAtColumn(BoardModel::KeepFp32).data(Qt::CheckStateRole).isValid();
  };
  if (can_be_kept(a) != can_be_kept(b)) return can_be_kept(a);
  return views::comes_before(valueOf(a.siblingAtColumn(BoardModel::LocalError)),
                             valueOf(b.siblingAtColumn(BoardModel::LocalError)));
}

bool BoardOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  const bool is_by_change = a.column() == BoardModel::LossChange || a.column() == BoardModel::Rank;
  return is_by_change ? changesMore(a, b) : ValueOrder::lessThan(a, b);
}

}  // namespace ampprof::gui

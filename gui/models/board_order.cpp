// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_order.h"

#include <utility>

namespace ampprof::gui {
namespace {

bool isByChange(int column) { return column == BoardModel::LossChange || column == BoardModel::Rank; }

bool isOfTexts(int column) {
  return column == BoardModel::Site || column == BoardModel::Rounded || column == BoardModel::TensorCores;
}

/// Names the loss change that a board sorts by.
QString changeText(BoardOrdering ordering) {
  switch (ordering) {
    case BoardOrdering::Estimate:
      return "E, the expected loss impact (RMS) per step";
    case BoardOrdering::SignedChange:
      return "the root mean square of the signed loss impacts (the report has no E)";
    case BoardOrdering::LocalError:
      break;
  }
  return "loss impact (the report has none)";
}

}  // namespace

QString BoardOrder::sentence(BoardOrdering ordering) const {
  const int column = sortColumn();
  if (column < 0) return "In program order.";
  const bool is_worst_first = sortOrder() == Qt::AscendingOrder;
  const QString end = is_worst_first ? "the largest first." : "the smallest first.";
  if (isByChange(column)) {
    const QString ties = ordering == BoardOrdering::Estimate ? " \"=\" marks a tie." : "";
    return QString("Rows with overflows come %1. Otherwise sorted by %2, %3")
               .arg(is_worst_first ? "first" : "last", changeText(ordering), end) +
           ties;
  }
  const QString title = headerData(column, Qt::Horizontal, Qt::EditRole).toString();
  if (column == BoardModel::KeepFp32) return "The column " + title + " does not change the order.";
  if (isOfTexts(column)) return "Sorted by " + title + (is_worst_first ? ", from A to Z." : ", from Z to A.");
  const QString sorted = "Sorted by " + title + ", " + end;
  if (column != BoardModel::LocalError || ordering != BoardOrdering::LocalError) return sorted;
  return sorted +
         " Local errors say little about the effect on the loss. To sort by loss impact, record with --impact.";
}

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
  return isByChange(a.column()) ? changesMore(a, b) : ValueOrder::lessThan(a, b);
}

}  // namespace ampprof::gui

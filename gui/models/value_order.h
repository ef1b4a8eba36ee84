// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include "gui/models/marked_tree.h"
#include "views/table/value.h"

namespace ampprof::gui {

/// Sorts the rows of a MarkedTree. As in ViewFilter, ascending means the order of the command line: the largest number
/// first. Column -1 means program order.
class ValueOrder : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ValueOrder(MarkedTree& model, QObject* parent = nullptr);

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
  /// Returns the sort key of a cell.
  static views::Value valueOf(const QModelIndex& index);
};

}  // namespace ampprof::gui

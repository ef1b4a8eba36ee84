// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include "gui/models/marked_tree.h"
#include "views/table/value.h"

namespace ampprof::gui {

/// Orders the rows of a MarkedTree. Ascending is the command line's order, as in a ViewFilter: the largest number
/// first. Without a column they come in the order of the program.
class ValueOrder : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ValueOrder(MarkedTree& model, QObject* parent = nullptr);

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
  /// Returns the number or text that a cell is ordered by.
  static views::Value valueOf(const QModelIndex& index);
};

}  // namespace ampprof::gui

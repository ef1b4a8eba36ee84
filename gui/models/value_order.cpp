// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/value_order.h"

namespace ampprof::gui {

ValueOrder::ValueOrder(MarkedTree& model, QObject* parent) : QSortFilterProxyModel(parent) { setSourceModel(&model); }

bool ValueOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  return views::comes_before(valueOf(a), valueOf(b));
}

views::Value ValueOrder::valueOf(const QModelIndex& index) {
  const QVariant value = index.data(MarkedTree::ValueRole);
  if (!value.isValid()) return {};
  if (value.userType() == QMetaType::QString) return value.toString().toStdString();
  return value.toDouble();
}

}  // namespace ampprof::gui

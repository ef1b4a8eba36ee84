// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/recipe_order.h"

#include "views/value.h"

namespace ampprof::gui {
namespace {

views::Value sortValue(const QModelIndex& index) {
  const QVariant value = index.data(RecipeModel::ValueRole);
  if (!value.isValid()) return {};
  if (value.userType() == QMetaType::QString) return value.toString().toStdString();
  return value.toDouble();
}

}  // namespace

RecipeOrder::RecipeOrder(RecipeModel& model, QObject* parent) : QSortFilterProxyModel(parent) {
  setSourceModel(&model);
}

bool RecipeOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  return views::comes_before(sortValue(a), sortValue(b));
}

}  // namespace ampprof::gui

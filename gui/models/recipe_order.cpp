// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/recipe_order.h"

#include "gui/models/sort_value.h"

namespace ampprof::gui {

RecipeOrder::RecipeOrder(RecipeModel& model, QObject* parent) : QSortFilterProxyModel(parent) {
  setSourceModel(&model);
}

bool RecipeOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  return views::comes_before(sortValue(a, RecipeModel::ValueRole), sortValue(b, RecipeModel::ValueRole));
}

}  // namespace ampprof::gui

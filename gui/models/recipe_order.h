// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include "gui/models/recipe_model.h"

namespace ampprof::gui {

/// The layers of a RecipeModel in an order. As in a ViewFilter, ascending is the command line's: the largest number
/// first. Without a column they come in the order of the program.
class RecipeOrder : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit RecipeOrder(RecipeModel& model, QObject* parent = nullptr);

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
};

}  // namespace ampprof::gui

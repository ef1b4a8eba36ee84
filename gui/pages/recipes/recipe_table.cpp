// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/recipes/recipe_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QShortcut>

#include "gui/delegates/heat_check_delegate.h"
#include "gui/delegates/roomy_style.h"
#include "gui/pages/shared/name_column.h"

namespace ampprof::gui {
namespace {

constexpr int kSortMark = 4;     // pixels to add to a column for the sort indicator
constexpr int kLeastLayer = 24;  // minimum width of the layer column, in characters
constexpr int kColumns = RecipeModel::FirstCell + 2 * static_cast<int>(kMatmuls.size());

}  // namespace

RecipeTable::RecipeTable(RecipeModel& model, ValueOrder& order, QWidget* parent)
    : QTreeView(parent), model_(model), order_(order) {
  setAccessibleName("Layers and their matmuls");
  setModel(&order_);
  setUniformRowHeights(true);
  setTextElideMode(Qt::ElideMiddle);  // keeps the op, which is at the end of a layer's name
  setSelectionBehavior(QAbstractItemView::SelectItems);
  makeRoomy(this, header());
  setAlternatingRowColors(true);
  setSortingEnabled(true);
  sortByColumn(RecipeModel::FirstCell, Qt::AscendingOrder);
  auto* delegate = new HeatCheckDelegate(this);
  for (int column = RecipeModel::FirstCell; column < kColumns; ++column) setItemDelegateForColumn(column, delegate);
  header()->setStretchLastSection(false);
  auto* space = new QShortcut(Qt::Key_Space, this);
  space->setContext(Qt::WidgetShortcut);
  connect(space, &QShortcut::activated, this, &RecipeTable::toggleCurrent);
}

void RecipeTable::toggleCurrent() { model_.toggle(order_.mapToSource(currentIndex())); }

void RecipeTable::fitColumns() {
  for (int column = RecipeModel::Layer + 1; column < model_.columnCount(); ++column) {
    resizeColumnToContents(column);
    setColumnWidth(column, columnWidth(column) + kSortMark);
  }
  widest_layer_ = widestName(*this);
  fitLayers();
}

void RecipeTable::fitLayers() { fitNameColumn(*this, kLeastLayer, widest_layer_); }

/// Left and Right move between cells. In the first column, Right first expands a collapsed row, and Left collapses it.
void RecipeTable::keyPressEvent(QKeyEvent* event) {
  const QModelIndex at = currentIndex();
  const bool is_left = event->key() == Qt::Key_Left && at.column() > RecipeModel::Layer;
  const bool can_open = at.column() == RecipeModel::Layer && model()->hasChildren(at) && !isExpanded(at);
  const bool is_right = event->key() == Qt::Key_Right && at.isValid() && !can_open;
  const QModelIndex beside = is_left ? at.siblingAtColumn(at.column() - 1) : at.siblingAtColumn(at.column() + 1);
  if ((is_left || is_right) && beside.isValid()) return setCurrentIndex(beside);
  QTreeView::keyPressEvent(event);
}

void RecipeTable::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  fitLayers();
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>

#include "gui/data/module_picture.h"

namespace ampprof::gui {

/// A ModulePicture as a tree of modules and their call sites, with a column for each measure. Roles are those of
/// MarkedTree.
class ModuleTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { NameColumn, ShareColumn, FirstMeasure };

  using QAbstractItemModel::QAbstractItemModel;

  /// Shows another picture. Keeps the pointers ModulePicture::sites, whose targets must outlive the model. `measure`:
  /// the measure that determines weights.
  void show(ModulePicture picture, std::size_t measure);
  const ModulePicture& picture() const { return picture_; }

  /// Returns a node's index in the first column; invalid for the root, which has no row.
  QModelIndex indexOf(std::size_t node) const;
  /// Returns the node of a model index; 0 (the root) for an invalid index.
  static std::size_t nodeOf(const QModelIndex& index) { return index.isValid() ? index.internalId() : 0; }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QVariant text(std::size_t node, int column) const;

  ModulePicture picture_{.tree = weightedTree({}), .figures = {{}}};
  std::size_t measure_ = 0;
};

}  // namespace ampprof::gui

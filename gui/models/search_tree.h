// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <string>
#include <vector>

#include "views/table/view.h"

namespace ampprof::gui {

/// The sets that a search has tried, as a tree: stages, their sets, and the functions that a set keeps in high
/// precision. Columns are those of views::search_view(). If a stage can have only one set, one row shows the stage and
/// the set. Rows are never reset during a search, so expanded rows stay expanded.
class SearchTree : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Role { BestRole = Qt::UserRole + 100 };  ///< bool: true for the best set so far. Other roles: see ViewModel

  explicit SearchTree(QObject* parent = nullptr);
  ~SearchTree() override;

  /// Shows the result of views::search_view(). `best`: policy lines of the smallest set that passed; absent if none
  /// passed.
  void show(const views::View& view, const views::Value& best = {});

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Node;

  const Node& node(const QModelIndex& index) const;
  QModelIndex indexOf(const Node& node) const;
  void update(Node& shown, Node wanted);
  void updateChildren(Node& shown, std::vector<std::unique_ptr<Node>> wanted);

  std::vector<views::Column> columns_;
  std::unique_ptr<Node> root_;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <string>
#include <vector>

#include "views/table/view.h"

namespace ampprof::gui {

/// Shows the sets that a search has tried as a tree: its stages, in them sets, in them the functions that were in high
/// precision. The columns of a set are those of views::search_view(). A stage of a single set is that set. Rows stay
/// where they are while a search goes on, so that open rows stay open.
class SearchTree : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Role { BestRole = Qt::UserRole + 100 };  ///< whether the row is the best set so far; others as in ViewModel

  explicit SearchTree(QObject* parent = nullptr);
  ~SearchTree() override;

  /// Shows what views::search_view() says. `best`: lines of the smallest set that passed; absent without one.
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

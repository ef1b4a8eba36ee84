// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/search_tree.h"

#include <algorithm>
#include <utility>

#include "gui/models/plain_tip.h"
#include "gui/models/view_model.h"
#include "reports/text/numbers.h"
#include "views/search/search.h"

namespace ampprof::gui {
namespace {

constexpr search::Stage kStages[] = {search::Stage::Everything, search::Stage::Advised, search::Stage::Nothing,
                                     search::Stage::Halves, search::Stage::OneByOne};
constexpr std::string_view kStage = "stage";
constexpr std::string_view kMembers = "policy";  // key of the column that shows the tree

bool is_one_set(search::Stage stage) { return stage != search::Stage::Halves && stage != search::Stage::OneByOne; }

std::vector<std::string> members_of(const views::View& view, const views::Record& record) {
  const auto* lines = std::get_if<views::Json>(&views::value_at(view, record, kMembers));
  return lines != nullptr ? lines->get<std::vector<std::string>>() : std::vector<std::string>();
}

QString listed(const std::vector<std::string>& lines) {
  QStringList text;
  for (const std::string& line : lines) text << QString::fromStdString(line);
  return text.join('\n');
}

/// Moves the column with the tree to the front.
std::vector<views::Column> with_members_first(std::vector<views::Column> columns) {
  std::ranges::stable_partition(columns, [](const views::Column& column) { return column.key == kMembers; });
  return columns;
}

}  // namespace

struct SearchTree::Node {
  std::string key;                 ///< unique among siblings, constant during a search
  std::vector<views::Cell> cells;  ///< in the order of columns_; cells that are missing at the end are empty
  QString tip = {};
  bool is_best = false;
  Node* parent = nullptr;
  std::vector<std::unique_ptr<Node>> children = {};

  Node& add(Node child) {
    child.parent = this;
    return *children.emplace_back(std::make_unique<Node>(std::move(child)));
  }
  int row() const {
    const auto place = std::ranges::find(parent->children, this, &std::unique_ptr<Node>::get);
    return static_cast<int>(place - parent->children.begin());
  }
};

SearchTree::SearchTree(QObject* parent)
    : QAbstractItemModel(parent),
      columns_(with_members_first(views::search_view({}).columns)),
      root_(std::make_unique<Node>()) {}

SearchTree::~SearchTree() = default;

void SearchTree::show(const views::View& view, const views::Value& best) {
  const auto cells_of = [&](const views::Record& record) {
    std::vector<views::Cell> cells;
    for (const views::Column& column : columns_) {
      const auto place = std::ranges::find(view.columns, column.key, &views::Column::key) - view.columns.begin();
      cells.push_back(record.cells[static_cast<std::size_t>(place)]);
    }
    return cells;
  };
  const auto set_of = [&](const views::Record& record) {
    const std::vector<std::string> members = members_of(view, record);
    Node set{.key = listed(members).toStdString(), .cells = cells_of(record), .tip = listed(members)};
    set.is_best = views::value_at(view, record, kMembers) == best;
    return set;
  };
  const auto add_members = [&](Node& set, const views::Record& record) {
    for (const std::string& member : members_of(view, record)) set.add({.key = member, .cells = {{member}}});
  };
  Node wanted;
  for (const search::Stage stage : kStages) {
    const std::string name(views::name_of(stage));
    Node& of_stage = wanted.add({.key = name, .cells = {{name, text::Tone::Faint}}});
    for (const views::Record& record : view.records) {
      if (views::text_at(view, record, kStage) != name) continue;
      Node set = set_of(record);
      if (!is_one_set(stage)) {
        of_stage.cells.front().tone = text::Tone::Plain;
        add_members(of_stage.add(std::move(set)), record);
        continue;
      }
      if (set.cells.front().text != name) set.cells.front().text = name + ": " + set.cells.front().text;
      of_stage.cells = std::move(set.cells);
      of_stage.tip = set.tip;
      of_stage.is_best = set.is_best;
      add_members(of_stage, record);
    }
  }
  update(*root_, std::move(wanted));
}

void SearchTree::update(Node& shown, Node wanted) {
  const bool is_changed = shown.cells != wanted.cells || shown.is_best != wanted.is_best;
  shown.cells = std::move(wanted.cells);
  shown.tip = wanted.tip;
  shown.is_best = wanted.is_best;
  if (is_changed && shown.parent != nullptr) {
    const QModelIndex first = indexOf(shown);
    emit dataChanged(first, first.siblingAtColumn(columnCount() - 1));
  }
  updateChildren(shown, std::move(wanted.children));
}

void SearchTree::updateChildren(Node& shown, std::vector<std::unique_ptr<Node>> wanted) {
  const auto key_of = [](const std::unique_ptr<Node>& node) -> const std::string& { return node->key; };
  for (int row = static_cast<int>(shown.children.size()) - 1; row >= 0; --row) {
    if (std::ranges::find(wanted, shown.children[static_cast<std::size_t>(row)]->key, key_of) != wanted.end()) continue;
    beginRemoveRows(indexOf(shown), row, row);
    shown.children.erase(shown.children.begin() + row);
    endRemoveRows();
  }
  for (std::unique_ptr<Node>& child : wanted) {
    const auto known = std::ranges::find(shown.children, child->key, key_of);
    if (known != shown.children.end()) {
      update(**known, std::move(*child));
      continue;
    }
    const int row = static_cast<int>(shown.children.size());
    beginInsertRows(indexOf(shown), row, row);
    child->parent = &shown;
    shown.children.push_back(std::move(child));
    endInsertRows();
  }
}

const SearchTree::Node& SearchTree::node(const QModelIndex& index) const {
  return index.isValid() ? *static_cast<const Node*>(index.constInternalPointer()) : *root_;
}

QModelIndex SearchTree::indexOf(const Node& node) const {
  return node.parent == nullptr ? QModelIndex() : createIndex(node.row(), 0, &node);
}

QModelIndex SearchTree::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, node(parent).children[static_cast<std::size_t>(row)].get());
}

QModelIndex SearchTree::parent(const QModelIndex& index) const {
  return index.isValid() ? indexOf(*node(index).parent) : QModelIndex();
}

int SearchTree::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(node(parent).children.size());
}

int SearchTree::columnCount(const QModelIndex&) const { return static_cast<int>(columns_.size()); }

QVariant SearchTree::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Node& shown = node(index);
  const auto column = static_cast<std::size_t>(index.column());
  if (role == BestRole) return shown.is_best;
  if (role == Qt::ToolTipRole && column == 0) return plainTip(shown.tip);
  if (column >= shown.cells.size()) return {};
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(shown.cells[column].text);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter |
                      (columns_[column].align == views::Align::Right ? Qt::AlignRight : Qt::AlignLeft));
    case ViewModel::ToneRole:
      return static_cast<int>(column == 0 && shown.is_best ? text::Tone::Strong : shown.cells[column].tone);
    default:
      return {};
  }
}

QVariant SearchTree::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const views::Column& column = columns_[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return QString::fromStdString(column.title);
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignVCenter | (column.align == views::Align::Right ? Qt::AlignRight : Qt::AlignLeft));
  return {};
}

}  // namespace ampprof::gui

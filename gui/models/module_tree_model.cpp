// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/module_tree_model.h"

#include <algorithm>
#include <utility>

#include "gui/data/site_measure.h"
#include "gui/models/marked_tree.h"
#include "gui/models/module_text.h"
#include "gui/models/plain_tip.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

constexpr double kLeastBar = 0.005;  // smallest share that has a bar

}  // namespace

void ModuleTreeModel::show(ModulePicture picture, std::size_t measure) {
  beginResetModel();
  picture_ = std::move(picture);
  measure_ = measure;
  endResetModel();
}

QModelIndex ModuleTreeModel::indexOf(std::size_t node) const {
  if (node == 0) return {};
  const auto& beside = picture_.tree.nodes[picture_.tree.nodes[node].parent].children;
  return createIndex(static_cast<int>(std::ranges::find(beside, node) - beside.begin()), 0, node);
}

QModelIndex ModuleTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, picture_.tree.nodes[nodeOf(parent)].children[static_cast<std::size_t>(row)]);
}

QModelIndex ModuleTreeModel::parent(const QModelIndex& index) const {
  return index.isValid() ? indexOf(picture_.tree.nodes[nodeOf(index)].parent) : QModelIndex();
}

int ModuleTreeModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(picture_.tree.nodes[nodeOf(parent)].children.size());
}

int ModuleTreeModel::columnCount(const QModelIndex&) const {
  return FirstMeasure + static_cast<int>(siteMeasures().size());
}

QVariant ModuleTreeModel::text(std::size_t node, int column) const {
  const double all = picture_.tree.nodes.front().weight;
  if (column == NameColumn) return labelOf(picture_, node);
  if (column == ShareColumn)
    return QString::fromStdString(text::percent(all > 0 ? picture_.tree.nodes[node].weight / all : 0));
  const auto measure = static_cast<std::size_t>(column - FirstMeasure);
  return QString::fromStdString(text::shown(picture_.figures[node].now[measure], siteMeasures()[measure].show));
}

QVariant ModuleTreeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const std::size_t node = nodeOf(index);
  switch (role) {
    case Qt::DisplayRole:
      return text(node, index.column());
    case Qt::ToolTipRole:
      return plainTip(tipOf(picture_, node, measure_));
    case Qt::TextAlignmentRole:
      return static_cast<int>(Qt::AlignVCenter | (index.column() == NameColumn ? Qt::AlignLeft : Qt::AlignRight));
    case MarkedTree::HeatRole: {
      const double all = picture_.tree.nodes.front().weight;
      const double share = all > 0 ? picture_.tree.nodes[node].weight / all : 0.0;
      return index.column() == ShareColumn && share >= kLeastBar ? QVariant(share) : QVariant();
    }
    default:
      return {};
  }
}

QVariant ModuleTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>(Qt::AlignVCenter | (section == NameColumn ? Qt::AlignLeft : Qt::AlignRight));
  if (role != Qt::DisplayRole) return {};
  if (section == NameColumn) return "module or op";
  if (section == ShareColumn) return "share";
  return siteMeasures()[static_cast<std::size_t>(section - FirstMeasure)].name;
}

}  // namespace ampprof::gui

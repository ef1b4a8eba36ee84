// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/marked_tree.h"

namespace ampprof::gui {
namespace {

// The internal id is kAtTop for a group, and the group's row + 1 for a line in a group.
constexpr quintptr kAtTop = 0;
quintptr idWithin(int group) { return static_cast<quintptr>(group) + 1; }

}  // namespace

MarkedTree::MarkedTree(int first_marked_column, QObject* parent)
    : QAbstractItemModel(parent), first_marked_column_(first_marked_column) {}

bool MarkedTree::isAtTop(const QModelIndex& index) { return index.internalId() == kAtTop; }

std::size_t MarkedTree::groupOf(const QModelIndex& index) { return static_cast<std::size_t>(index.internalId()) - 1; }

QModelIndex MarkedTree::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? idWithin(parent.row()) : kAtTop);
}

QModelIndex MarkedTree::parent(const QModelIndex& index) const {
  if (!index.isValid() || isAtTop(index)) return {};
  return createIndex(static_cast<int>(groupOf(index)), 0, kAtTop);
}

MarkedTree::Places MarkedTree::kept() const {
  Places places;
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    if (kept_[place]) places.push_back(place);
  }
  return places;
}

void MarkedTree::keep(const Places& candidates) {
  clearMarks(kept_.size());
  mark(candidates, true);
}

void MarkedTree::toggleAll(const Places& candidates) {
  if (!candidates.empty()) mark(candidates, checkState(candidates) != Qt::Checked);
}

void MarkedTree::mark(const Places& candidates, bool is_kept) {
  for (const std::size_t place : candidates) kept_[place] = is_kept;
  const auto tell = [&](const QModelIndex& parent) {
    const int last = rowCount(parent) - 1;
    if (last >= 0) emit dataChanged(index(0, first_marked_column_, parent), index(last, columnCount() - 1, parent));
  };
  tell({});
  for (int group = 0; group < rowCount(); ++group) tell(index(group, 0));
  emit keptChanged();
}

QVariant MarkedTree::checkState(const QModelIndex& index) const {
  const Places* candidates = markable(index);
  return candidates ? checkState(*candidates) : QVariant();
}

QVariant MarkedTree::checkState(const Places& candidates) const {
  if (candidates.empty()) return {};
  const auto kept = std::ranges::count_if(candidates, [&](std::size_t place) { return bool{kept_[place]}; });
  if (kept == 0) return Qt::Unchecked;
  return kept == std::ssize(candidates) ? Qt::Checked : Qt::PartiallyChecked;
}

bool MarkedTree::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable)) return false;
  mark(*markable(index), value.toInt() == Qt::Checked);
  return true;
}

Qt::ItemFlags MarkedTree::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractItemModel::flags(index);
  if (index.isValid() && checkState(index).isValid()) flags |= Qt::ItemIsUserCheckable;
  return flags;
}

}  // namespace ampprof::gui

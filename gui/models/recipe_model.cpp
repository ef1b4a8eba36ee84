// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/recipe_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "gui/models/heat_scale.h"
#include "gui/models/plain_tip.h"
#include "gui/models/recipe_cell_text.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

// An index within a group carries the group's row, one of a group itself none.
constexpr quintptr kAtTop = 0;
quintptr idWithin(int group) { return static_cast<quintptr>(group) + 1; }
int rowOfGroup(const QModelIndex& index) { return static_cast<int>(index.internalId()) - 1; }

struct PlainColumn {
  const char* title;
  const char* meaning;
};

constexpr std::array<PlainColumn, RecipeModel::FirstCell> kPlainColumns{
    {{"layer", "module and op of the forward call, or layers that are alike"},
     {"weight", "output features × input features, as a matmul: of a convolution, its patches'"},
     {"of FLOPs", "share of all multiplications and additions in matmuls"}}};

constexpr std::array<const char*, kMatmuls.size()> kMeanings{
    "the layer's output. Coloured by the change of the loss",
    "the gradient of its input. Coloured by the change of how far a step decreases the loss",
    "the gradient of its weight. Coloured by the change of how far a step decreases the loss"};

bool isOnLoss(std::size_t matmul) { return kMatmuls[matmul] == Matmul::Fprop; }

QString nameOfMatmul(std::size_t matmul) {
  const std::string_view name = name_of(kMatmuls[matmul]);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

Qt::Alignment alignmentOf(int column) {
  return Qt::AlignVCenter | (column == RecipeModel::Layer ? Qt::AlignLeft : Qt::AlignRight);
}

}  // namespace

RecipeModel::RecipeModel(QObject* parent) : QAbstractItemModel(parent) {}

void RecipeModel::show(std::shared_ptr<const RecipeBoard> board) {
  beginResetModel();
  board_ = std::move(board);
  choice_ = {};
  groups_.clear();
  kept_.assign(board_ ? board_->candidates().size() : 0, false);
  endResetModel();
  emit keptChanged();
}

void RecipeModel::arrange(const RecipeChoice& choice, bool alike_as_one, const std::string& pattern) {
  if (!board_) return;
  auto groups = recipeGroups(*board_, choice, alike_as_one, pattern);
  beginResetModel();
  choice_ = choice;
  groups_ = std::move(groups);
  findLargest();
  endResetModel();
}

void RecipeModel::findLargest() {
  largest_loss_ = largest_gradient_ = 0.0;
  const auto look = [&](const RecipeLine& line) {
    for (const auto& of_side : line.cells) {
      for (std::size_t m = 0; m < of_side.size(); ++m) {
        const double size = of_side[m].isResolved() ? of_side[m].size().value_or(0.0) : 0.0;
        double& largest = isOnLoss(m) ? largest_loss_ : largest_gradient_;
        if (std::isfinite(size)) largest = std::max(largest, size);
      }
    }
  };
  for (const auto& [line, sites] : groups_) {
    look(line);
    std::ranges::for_each(sites, look);
  }
}

KeptPlaces RecipeModel::kept() const {
  KeptPlaces places;
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    if (kept_[place]) places.push_back(place);
  }
  return places;
}

void RecipeModel::keep(const KeptPlaces& places) {
  kept_.assign(kept_.size(), false);
  mark(places, true);
}

void RecipeModel::toggle(const QModelIndex& index) {
  if (!index.isValid()) return;
  const auto place = cellAt(index.column());
  const KeptPlaces candidates = place && place->side == 0 ? cell(index)->candidates : candidatesOf(line(index));
  if (!candidates.empty()) mark(candidates, checkState(candidates).toInt() != Qt::Checked);
}

KeptPlaces RecipeModel::candidatesOf(const RecipeLine& line) const {
  std::set<std::size_t> places;
  for (const RecipeCell& cell : line.cells[0]) places.insert(cell.candidates.begin(), cell.candidates.end());
  return {places.begin(), places.end()};
}

void RecipeModel::mark(const KeptPlaces& candidates, bool is_kept) {
  for (const std::size_t place : candidates) kept_[place] = is_kept;
  const auto tell = [&](const QModelIndex& parent) {
    const int last = rowCount(parent) - 1;
    if (last >= 0) emit dataChanged(index(0, FirstCell, parent), index(last, columnCount() - 1, parent));
  };
  tell({});
  for (int group = 0; group < rowCount(); ++group) tell(index(group, 0));
  emit keptChanged();
}

QString RecipeModel::callSite(const QModelIndex& index) const {
  return index.isValid() ? QString::fromStdString(line(index).call_site) : QString();
}

QModelIndex RecipeModel::find(const QString& call_site) const {
  const std::string wanted = call_site.toStdString();
  if (wanted.empty()) return {};
  for (int group = 0; group < rowCount(); ++group) {
    const auto& [line, sites] = groups_[static_cast<std::size_t>(group)];
    if (line.call_site == wanted) return index(group, 0);
    const auto found = std::ranges::find(sites, wanted, &RecipeLine::call_site);
    if (found != sites.end()) return index(static_cast<int>(found - sites.begin()), 0, index(group, 0));
  }
  return {};
}

const RecipeLine& RecipeModel::line(const QModelIndex& index) const {
  if (index.internalId() == kAtTop) return groups_[static_cast<std::size_t>(index.row())].line;
  return groups_[static_cast<std::size_t>(rowOfGroup(index))].sites[static_cast<std::size_t>(index.row())];
}

std::optional<RecipeModel::CellPlace> RecipeModel::cellAt(int column) const {
  if (column < FirstCell) return std::nullopt;
  const auto place = static_cast<std::size_t>(column - FirstCell);
  return CellPlace{place % sides(), place / sides()};
}

const RecipeCell* RecipeModel::cell(const QModelIndex& index) const {
  const auto place = cellAt(index.column());
  return place ? &line(index).cells[place->side][place->matmul] : nullptr;
}

QModelIndex RecipeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? idWithin(parent.row()) : kAtTop);
}

QModelIndex RecipeModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kAtTop) return {};
  return createIndex(rowOfGroup(index), 0, kAtTop);
}

int RecipeModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(groups_.size());
  if (parent.internalId() != kAtTop || parent.column() > 0) return 0;
  return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].sites.size());
}

int RecipeModel::columnCount(const QModelIndex&) const {
  return FirstCell + static_cast<int>(kMatmuls.size() * sides());
}

QVariant RecipeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  switch (role) {
    case Qt::DisplayRole:
      return text(index);
    case Qt::TextAlignmentRole:
      return QVariant(alignmentOf(index.column()));
    case Qt::CheckStateRole:
      return checkState(index);
    case Qt::ToolTipRole:
      return plainTip(tip(index));
    case ValueRole:
      return value(index);
    case HeatRole:
      return heat(index);
    case TieRole:
      return tie(index);
    default:
      return {};
  }
}

QString RecipeModel::text(const QModelIndex& index) const {
  const RecipeLine& shown = line(index);
  if (const RecipeCell* of = cell(index)) return cellText(*of);
  if (index.column() == Layer) return QString::fromStdString(shown.name);
  return QString::fromStdString(index.column() == Sizes ? shown.sizes : text::percent(shown.flops_share));
}

QVariant RecipeModel::value(const QModelIndex& index) const {
  if (const RecipeCell* of = cell(index)) {
    const auto size = of->size();
    return size ? QVariant(*size) : QVariant();
  }
  return index.column() == Flops ? QVariant(line(index).flops_share) : QVariant(text(index));
}

QString RecipeModel::tip(const QModelIndex& index) const {
  const RecipeLine& shown = line(index);
  const RecipeCell* of = cell(index);
  if (of == nullptr) {
    if (index.column() != Layer) return text(index);
    return QString::fromStdString(shown.source.empty() ? shown.name : shown.name + '\n' + shown.source);
  }
  QString tip = cellTip(*of);
  if (choice_.other) {
    const auto place = *cellAt(index.column());
    const TriedRecipe& than = place.side == 0 ? *choice_.other : choice_.recipe;
    const QString compared =
        comparedText(*of, shown.cells[1 - place.side][place.matmul], QString::fromStdString(than.label));
    if (!compared.isEmpty()) tip += "\n" + compared;
  }
  if (of->isQuantized() && of->candidates.empty())
    tip += "\nIt is outside all modules, so no rule can keep it in BF16.";
  return tip;
}

/// What cannot be told from the first of a tie has its heat.
QVariant RecipeModel::heat(const QModelIndex& index) const {
  const RecipeCell* of = cell(index);
  if (of == nullptr) return {};
  if (!of->isResolved() || checkState(index) == Qt::Checked) return kNoHeat;
  const double largest = isOnLoss(cellAt(index.column())->matmul) ? largest_loss_ : largest_gradient_;
  return heatOf(of->tied_size ? of->tied_size : of->size(), largest);
}

QVariant RecipeModel::tie(const QModelIndex& index) const {
  const RecipeCell* of = cell(index);
  return of && of->rank.is_tied ? QVariant(qlonglong{of->rank.place}) : QVariant();
}

QVariant RecipeModel::checkState(const QModelIndex& index) const {
  const auto place = cellAt(index.column());
  return place && place->side == 0 ? checkState(cell(index)->candidates) : QVariant();
}

QVariant RecipeModel::checkState(const KeptPlaces& candidates) const {
  if (candidates.empty()) return {};
  const auto kept = std::ranges::count_if(candidates, [&](std::size_t place) { return bool{kept_[place]}; });
  if (kept == 0) return Qt::Unchecked;
  return kept == std::ssize(candidates) ? Qt::Checked : Qt::PartiallyChecked;
}

bool RecipeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable)) return false;
  mark(cell(index)->candidates, value.toInt() == Qt::Checked);
  return true;
}

QVariant RecipeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(alignmentOf(section));
  const auto place = cellAt(section);
  if (!place) {
    const PlainColumn& column = kPlainColumns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return QString::fromUtf8(column.title);
    return role == Qt::ToolTipRole ? QString::fromUtf8(column.meaning) : QVariant();
  }
  const QString name = nameOfMatmul(place->matmul);
  if (role == Qt::ToolTipRole) return name + ": " + QString::fromUtf8(kMeanings[place->matmul]);
  if (role != Qt::DisplayRole) return {};
  if (!choice_.other) return name;
  return name + " " + QString::fromStdString((place->side == 0 ? choice_.recipe : *choice_.other).label);
}

Qt::ItemFlags RecipeModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractItemModel::flags(index);
  if (index.isValid() && checkState(index).isValid()) flags |= Qt::ItemIsUserCheckable;
  return flags;
}

}  // namespace ampprof::gui

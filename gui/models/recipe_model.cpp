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

struct PlainColumn {
  const char* title;
  const char* meaning;
};

constexpr std::array<PlainColumn, RecipeModel::FirstCell> kPlainColumns{
    {{"layer", "module and op of the forward call, or a group of similar layers"},
     {"weight", "output features × input features of the matmul; a convolution is a matmul of patches"},
     {"of FLOPs", "share of the multiplications and additions in all matmuls"}}};

constexpr std::array<const char*, kMatmuls.size()> kMeanings{
    "the layer's output. Coloured by the loss impact",
    "the gradient of the layer's input. Coloured by the change of the loss decrease per step",
    "the gradient of the layer's weight. Coloured by the change of the loss decrease per step"};

bool isOnLoss(std::size_t matmul) { return kMatmuls[matmul] == Matmul::Fprop; }

QString nameOfMatmul(std::size_t matmul) {
  const std::string_view name = name_of(kMatmuls[matmul]);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

Qt::Alignment alignmentOf(int column) {
  return Qt::AlignVCenter | (column == RecipeModel::Layer ? Qt::AlignLeft : Qt::AlignRight);
}

}  // namespace

RecipeModel::RecipeModel(QObject* parent) : GroupTree(FirstCell, parent) {}

void RecipeModel::show(std::shared_ptr<const RecipeBoard> board) {
  beginResetModel();
  board_ = std::move(board);
  choice_ = {};
  groups_.clear();
  clearMarks(board_ ? board_->candidates().size() : 0);
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

void RecipeModel::toggle(const QModelIndex& index) {
  if (!index.isValid()) return;
  const Places* of_cell = markable(index);
  toggleAll(of_cell ? *of_cell : candidatesOf(line(index)));
}

const RecipeModel::Places* RecipeModel::markable(const QModelIndex& index) const {
  const auto place = cellAt(index.column());
  return place && place->side == 0 ? &cell(index)->candidates : nullptr;
}

KeptPlaces RecipeModel::candidatesOf(const RecipeLine& line) const {
  std::set<std::size_t> places;
  for (const RecipeCell& cell : line.cells[0]) places.insert(cell.candidates.begin(), cell.candidates.end());
  return {places.begin(), places.end()};
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
    tip += "\nThe layer is outside all modules, so no rule can keep it in BF16.";
  return tip;
}

/// Returns the same heat for all cells of a tie.
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

}  // namespace ampprof::gui

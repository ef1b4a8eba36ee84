// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_model.h"

#include <QPointF>
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/ops/group.h"
#include "gui/data/board.h"
#include "gui/models/board_columns.h"
#include "gui/models/heat_scale.h"
#include "gui/models/plain_tip.h"

namespace ampprof::gui {
namespace {

constexpr double kSafeBits = 8.0;  // headroom, in powers of two, from which on the heat is 0

Qt::Alignment alignment_of(int column) {
  const bool is_text = column == BoardModel::Site || column == BoardModel::Rounded || column >= BoardModel::TensorCores;
  return Qt::AlignVCenter | (is_text ? Qt::AlignLeft : Qt::AlignRight);
}

QVariant shares(const BoardLine& line) {
  QVariantList shares;
  for (const views::RoundedPart& part : line.impact.parts) shares << part.share;
  return shares.isEmpty() ? QVariant() : shares;
}

double heat_of_headroom(const BoardLine& line) {
  if (!line.headroom || !line.is_reduced) return kNoHeat;
  return std::clamp(1.0 - *line.headroom / kSafeBits, 0.0, 1.0);
}

}  // namespace

BoardModel::BoardModel(QObject* parent) : GroupTree(KeepFp32, parent) {}

void BoardModel::show(std::shared_ptr<const Board> board) {
  beginResetModel();
  board_ = std::move(board);
  groups_ = board_ ? board_groups(*board_, analysis::GroupBy::Module) : std::vector<BoardGroup>();
  clearMarks(board_ ? board_->evaluation().candidates().size() : 0);
  largest_change_ = 0.0;
  most_overflows_ = 0;
  ordering_ = board_ ? orderingOf(*board_) : BoardOrdering::LocalError;
  for (const auto& [line, sites] : groups_) {
    const double change = line.impact.interval ? line.impact.interval->high : line.loss_change.value_or(0.0);
    if (std::isfinite(change)) largest_change_ = std::max(largest_change_, change);
    most_overflows_ = std::max(most_overflows_, line.overflows);
  }
  endResetModel();
  emit keptChanged();
}

void BoardModel::arrange(analysis::GroupBy by, const std::string& pattern) {
  if (!board_) return;
  auto groups = board_groups(*board_, by, pattern);
  beginResetModel();
  groups_ = std::move(groups);
  endResetModel();
}

void BoardModel::toggle(const QModelIndex& row) { toggleAll(line(row).candidates); }

const BoardModel::Places* BoardModel::markable(const QModelIndex& index) const {
  return index.column() == KeepFp32 ? &line(index).candidates : nullptr;
}

std::vector<std::string> BoardModel::callSites(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  if (const std::string& site = line(index).call_site; !site.empty()) return {site};
  std::vector<std::string> sites;
  for (const BoardLine& site : groups_[static_cast<std::size_t>(index.row())].sites) sites.push_back(site.call_site);
  return sites;
}

int BoardModel::columnCount(const QModelIndex&) const { return boardColumns(); }

QVariant BoardModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const BoardLine& shown = line(index);
  const BoardColumn& column = boardColumn(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(column.show(shown));
    case Qt::TextAlignmentRole:
      return QVariant(alignment_of(index.column()));
    case Qt::CheckStateRole:
      return checkState(index);
    case Qt::ToolTipRole:
      return plainTip(boardTip(shown, index.column()));
    case ValueRole:
      return column.value(shown);
    case HeatRole:
      return heat(shown, index.column());
    case WhiskerRole:
      return whisker(shown, index.column());
    case PartsRole:
      return index.column() == Rounded ? shares(shown) : QVariant();
    case TieRole:
      return index.column() == Rank && shown.impact.rank.is_tied ? column.value(shown) : QVariant();
    default:
      return {};
  }
}

QVariant BoardModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const BoardColumn& column = boardColumn(section);
  if (role == Qt::DisplayRole) return title(section);
  if (role == Qt::EditRole) return QString::fromUtf8(column.title);
  if (role == Qt::ToolTipRole) return QString::fromUtf8(column.meaning);
  if (role == Qt::TextAlignmentRole) return QVariant(alignment_of(section));
  return {};
}

QString BoardModel::title(int column) const {
  const QString title = QString::fromUtf8(boardColumn(column).title);
  if (column != LossChange || ordering_ == BoardOrdering::LocalError) return title;
  return title + (ordering_ == BoardOrdering::Estimate ? ": E" : ": rms");
}

QVariant BoardModel::heat(const BoardLine& line, int column) const {
  switch (column) {
    case LossChange:
      return heatOf(line.loss_change, largest_change_, loss_noise(board_->run()));
    case MeanChange:
      return line.impact.is_resolved == false ? QVariant(kNoHeat) : QVariant();
    case Overflows:
      if (line.overflows == 0) return {};
      return static_cast<double>(line.overflows) / static_cast<double>(std::max(line.overflows, most_overflows_));
    case Headroom:
      return heat_of_headroom(line);
    default:
      return {};
  }
}

QVariant BoardModel::whisker(const BoardLine& line, int column) const {
  if (column != LossChange || !line.impact.interval || std::isnan(heat(line, column).toDouble())) return {};
  return QPointF(lengthOf(line.impact.interval->low, largest_change_),
                 lengthOf(line.impact.interval->high, largest_change_));
}

}  // namespace ampprof::gui

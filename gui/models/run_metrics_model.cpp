// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run_metrics_model.h"

#include <algorithm>
#include <utility>

#include "gui/models/view_model.h"

namespace ampprof::gui {
namespace {

/// Returns the length of the longest bar of a row, noise included. All bars of the row are drawn relative to this
/// length.
double longest_of(const views::RunFigure& figure) {
  double longest = 0.0;
  for (const views::RunValue& run : figure.runs) {
    longest = std::max(longest, run.size.value_or(0) + run.noise.value_or(0));
  }
  return longest;
}

QVariant share_of(const std::optional<double>& value, const views::RunFigure& figure) {
  const double longest = longest_of(figure);
  return value && longest > 0 ? QVariant(*value / longest) : QVariant();
}

}  // namespace

void RunMetricsModel::show(std::vector<views::RunFigure> figures, QStringList runs) {
  beginResetModel();
  figures_ = std::move(figures);
  runs_ = std::move(runs);
  endResetModel();
}

int RunMetricsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(figures_.size());
}

int RunMetricsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

QVariant RunMetricsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const views::RunFigure& figure = figures_[static_cast<std::size_t>(index.row())];
  const views::RunValue& value = figure.runs[static_cast<std::size_t>(index.column())];
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(value.cell.text);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case ViewModel::ToneRole:
      return static_cast<int>(value.cell.tone);
    case ViewModel::BarRole:
      return share_of(value.size, figure);
    case ViewModel::NoiseRole:
      return share_of(value.noise, figure);
    default:
      return {};
  }
}

QVariant RunMetricsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Horizontal) return runs_.value(section);
  const std::string_view title = figures_[static_cast<std::size_t>(section)].title;
  return QString::fromUtf8(title.data(), static_cast<int>(title.size()));
}

}  // namespace ampprof::gui

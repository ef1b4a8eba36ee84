// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

#include "views/diagnosis/run_metrics.h"

namespace ampprof::gui {

/// Summary values of runs side by side: a column per run, a row per value. Roles are those of ViewModel.
class RunMetricsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// `runs`: names of the runs, in the order of RunFigure::runs.
  void show(std::vector<views::RunFigure> figures, QStringList runs);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::vector<views::RunFigure> figures_;
  QStringList runs_;
};

}  // namespace ampprof::gui

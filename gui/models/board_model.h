// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "analysis/ops/group.h"
#include "gui/data/board.h"
#include "reports/queries/losses.h"

namespace ampprof::gui {

/// The decision board as a tree: groups, in them call sites. The last column marks what is to run in FP32; a mark is
/// that of a candidate of the evaluation, so that all call sites of a function in one module are marked together.
class BoardModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column {
    Site,
    LocalError,
    InheritedError,
    Rank,
    LossChange,
    Rounded,
    MeanChange,
    Overflows,
    Headroom,
    Time,
    GpuTime,
    CompiledTime,
    Fp32Time,
    Casts,
    TensorCores,
    KeepFp32
  };
  enum Role {
    ValueRole = Qt::UserRole,  ///< the number behind the text of a cell; invalid where there is none
    HeatRole,     ///< 0 to 1, the worst; NaN where that is unknown or noise; invalid where a column has no heat
    WhiskerRole,  ///< QPointF: ends of the interval that holds the number, on the scale of heat; invalid without one
    PartsRole,    ///< QVariantList: shares of what the number is made of; invalid where that is not known
    TieRole,      ///< the place that a row shares with others; invalid where it shares none
  };
  using Places = advice::PolicyEvaluation::Places;

  explicit BoardModel(QObject* parent = nullptr);

  /// Another run, nothing marked. Null for none.
  void show(std::shared_ptr<const Board> board);
  BoardOrdering ordering() const { return ordering_; }
  /// Groups what a pattern is found in. Throws UsageError, with the rows as they were.
  void arrange(analysis::GroupBy by, const std::string& pattern);

  /// The marked candidates, ascending.
  Places chosen() const;
  void choose(const Places& candidates);
  /// Marks all candidates of a row, or none where all are marked.
  void toggle(const QModelIndex& row);

  /// "" for a group.
  QString callSite(const QModelIndex& index) const;
  /// Returns the call sites of a group; else the one.
  std::vector<std::string> callSites(const QModelIndex& index) const;
  /// Returns what the row shows; good until show() or arrange().
  const BoardLine& line(const QModelIndex& index) const;
  /// Invalid where no row is that of this call site.
  QModelIndex find(const QString& call_site) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void chosenChanged();

 private:
  QVariant checkState(const BoardLine& line) const;
  QVariant heat(const BoardLine& line, int column) const;
  QVariant whisker(const BoardLine& line, int column) const;
  QString title(int column) const;
  void mark(const Places& candidates, bool kept);

  std::shared_ptr<const Board> board_;
  std::vector<BoardGroup> groups_;
  std::vector<bool> kept_;  ///< by candidate
  BoardOrdering ordering_ = BoardOrdering::LocalError;
  double largest_change_ = 0.0;  ///< or end of an interval
  std::int64_t most_overflows_ = 0;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "analysis/ops/group.h"
#include "gui/data/board_lines.h"
#include "gui/models/marked_tree.h"
#include "precision/advice/policy_evaluation.h"
#include "reports/queries/losses.h"

namespace ampprof::gui {

/// The decision board as a tree of groups and their call sites. Check boxes in the last column mark functions to run in
/// FP32. A mark applies to a candidate of the PolicyEvaluation, so all call sites of a function in one module are
/// marked together.
class BoardModel : public GroupTree<BoardGroup> {
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

  explicit BoardModel(QObject* parent = nullptr);

  /// Shows another board, or none if null. Clears all marks.
  void show(std::shared_ptr<const Board> board);
  BoardOrdering ordering() const { return ordering_; }
  /// Groups the call sites that match `pattern`. Throws UsageError for an invalid pattern and leaves the rows
  /// unchanged.
  void arrange(analysis::GroupBy by, const std::string& pattern);

  /// Marks all candidates of a row; if all are marked already, clears their marks.
  void toggle(const QModelIndex& row);

  /// Returns the call sites of the group in a row; if the row is a call site, that call site.
  std::vector<std::string> callSites(const QModelIndex& index) const;

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  const Places* markable(const QModelIndex& index) const override;

 private:
  QVariant heat(const BoardLine& line, int column) const;
  QVariant whisker(const BoardLine& line, int column) const;
  QString title(int column) const;

  std::shared_ptr<const Board> board_;
  BoardOrdering ordering_ = BoardOrdering::LocalError;
  double largest_change_ = 0.0;  ///< maximum over groups: upper end of the interval, or loss change if there is none
  std::int64_t most_overflows_ = 0;
};

}  // namespace ampprof::gui

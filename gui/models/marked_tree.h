// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace ampprof::gui {

/// A tree of groups and their lines. Cells in some columns have check boxes, which mark candidates. All cells with the
/// same candidate are marked together.
class MarkedTree : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Role {
    ValueRole = Qt::UserRole,  ///< number or text by which the cell is sorted; invalid if there is none
    /// Heat from 0 to 1 (worst). NaN for a number that is unknown, not resolved or marked; invalid for cells without
    /// heat.
    HeatRole,
    WhiskerRole,  ///< QPointF: ends of the interval around the number, on the heat scale; invalid if there is none
    PartsRole,    ///< QVariantList: shares of the parts that the number consists of; invalid if unknown
    TieRole,      ///< rank, if other rows have the same rank; else invalid
  };
  using Places = std::vector<std::size_t>;

  /// Returns the marked candidates in ascending order.
  Places kept() const;
  /// Marks `candidates` and clears all other marks.
  void keep(const Places& candidates);

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void keptChanged();

 protected:
  /// Only columns from `first_marked_column` on have check boxes.
  MarkedTree(int first_marked_column, QObject* parent);

  /// Returns the candidates that the check box of a cell marks; null if the cell has no check box.
  virtual const Places* markable(const QModelIndex& index) const = 0;
  /// Returns the state of a cell's check box; invalid if the cell has none.
  QVariant checkState(const QModelIndex& index) const;
  /// Marks candidates; if all are marked already, clears their marks.
  void toggleAll(const Places& candidates);
  /// Sets the number of candidates and clears all marks.
  void clearMarks(std::size_t candidates) { kept_.assign(candidates, false); }

  static bool isAtTop(const QModelIndex& index);
  /// Returns the row of the group that contains a line.
  static std::size_t groupOf(const QModelIndex& index);

 private:
  QVariant checkState(const Places& candidates) const;
  void mark(const Places& candidates, bool is_kept);

  int first_marked_column_;
  std::vector<bool> kept_;  ///< indexed by candidate
};

/// A MarkedTree of elements of type `Group`, which has the members `line` and `sites`. The type of `line` and of the
/// elements of `sites` has a member `call_site`.
template <class Group>
class GroupTree : public MarkedTree {
 public:
  using Line = decltype(Group::line);

  /// Returns the line of a group or call site; valid until the groups change.
  const Line& line(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return isAtTop(index) ? groups_[row].line : groups_[groupOf(index)].sites[row];
  }

  /// Returns the call site of a row; "" for a group.
  QString callSite(const QModelIndex& index) const {
    return index.isValid() ? QString::fromStdString(line(index).call_site) : QString();
  }

  /// Returns the row of a call site; invalid if there is none.
  QModelIndex find(const QString& call_site) const {
    const std::string wanted = call_site.toStdString();
    if (wanted.empty()) return {};
    for (int group = 0; group < rowCount(); ++group) {
      const auto& [line, sites] = groups_[static_cast<std::size_t>(group)];
      if (line.call_site == wanted) return index(group, 0);
      const auto found = std::ranges::find(sites, wanted, &Line::call_site);
      if (found != sites.end()) return index(static_cast<int>(found - sites.begin()), 0, index(group, 0));
    }
    return {};
  }

  int rowCount(const QModelIndex& parent = {}) const override {
    if (!parent.isValid()) return static_cast<int>(groups_.size());
    if (!isAtTop(parent) || parent.column() > 0) return 0;
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].sites.size());
  }

 protected:
  using MarkedTree::MarkedTree;

  std::vector<Group> groups_;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace ampprof::gui {

/// A tree of groups and the lines in them, some of whose cells take marks. A mark is that of a candidate, so that all
/// cells that share a candidate are marked together.
class MarkedTree : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Role {
    ValueRole = Qt::UserRole,  ///< the number behind the text of a cell; invalid where there is none
    HeatRole,     ///< 0 to 1, the worst; NaN where that is unknown or not resolved; invalid where a cell has no heat
    WhiskerRole,  ///< QPointF: ends of the interval that holds the number, on the scale of heat; invalid without one
    PartsRole,    ///< QVariantList: shares of what the number is made of; invalid where that is not known
    TieRole,      ///< the place that a cell shares with others; invalid where it shares none
  };
  using Places = std::vector<std::size_t>;

  /// The marked candidates, ascending.
  Places kept() const;
  /// Marks these and no others.
  void keep(const Places& candidates);

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void keptChanged();

 protected:
  /// Marks are shown in the columns from this one on.
  MarkedTree(int first_marked_column, QObject* parent);

  /// Returns the candidates that a mark on a cell is of; null for a cell that takes none.
  virtual const Places* markable(const QModelIndex& index) const = 0;
  /// Invalid where a cell takes no mark.
  QVariant checkState(const QModelIndex& index) const;
  /// Marks candidates, or none of them where all are marked.
  void toggleAll(const Places& candidates);
  /// Starts with this many candidates, none marked.
  void clearMarks(std::size_t candidates) { kept_.assign(candidates, false); }

  static bool isAtTop(const QModelIndex& index);
  /// Returns the group that a line is in.
  static std::size_t groupOf(const QModelIndex& index);

 private:
  QVariant checkState(const Places& candidates) const;
  void mark(const Places& candidates, bool is_kept);

  int first_marked_column_;
  std::vector<bool> kept_;  ///< by candidate
};

/// A MarkedTree of groups with a `line` of their own and `sites`, each a line with a `call_site`.
template <class Group>
class GroupTree : public MarkedTree {
 public:
  using Line = decltype(Group::line);

  /// Returns what the row shows; good until the groups change.
  const Line& line(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return isAtTop(index) ? groups_[row].line : groups_[groupOf(index)].sites[row];
  }

  /// "" for a group.
  QString callSite(const QModelIndex& index) const {
    return index.isValid() ? QString::fromStdString(line(index).call_site) : QString();
  }

  /// Invalid where no row is that of this call site.
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

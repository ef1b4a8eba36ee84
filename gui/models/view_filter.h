// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <functional>
#include <memory>

#include "gui/models/view_model.h"
#include "views/table/site_filter.h"

namespace ampprof::gui {

/// The rows of a ViewModel that a selection lets through, in its order: what `ampprof show` with these flags prints.
class ViewFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ViewFilter(ViewModel& model, QObject* parent = nullptr);

  /// Filters by phase, op and module. Throws UsageError, with the rows as they were.
  void filter(const views::Selection& selection);
  /// Keeps, of the rows that the selection lets through, those whose records are wanted; null for all of them.
  void keep(std::function<bool(const views::Record&)> is_wanted);
  /// Sorts by one of the view's keys, as --sort does; "" for the view's own order.
  void sortByKey(const std::string& key);
  /// Also while a header is clicked: the key that rows are sorted by now, "" for the view's own order.
  std::string sortKey() const;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

 private:
  ViewModel& model_;
  analysis::SiteFilter filter_;
  std::function<bool(const views::Record&)> is_wanted_;  ///< null for all
};

/// Writes what a filter lets through of its model, in its order, as `--format csv` prints it.
std::string csvOf(const ViewFilter& filter, const ViewModel& model);

}  // namespace ampprof::gui

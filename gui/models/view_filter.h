// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <functional>
#include <memory>

#include "gui/models/view_model.h"
#include "views/table/site_filter.h"

namespace ampprof::gui {

/// Filters and sorts the rows of a ViewModel as `ampprof show` does with the same flags.
class ViewFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ViewFilter(ViewModel& model, QObject* parent = nullptr);

  /// Filters by phase, op and module. Throws UsageError for an invalid pattern and leaves the rows unchanged.
  void filter(const views::Selection& selection);
  /// Sets a second filter: hides rows for whose record `is_wanted` returns false; a null function hides none.
  void keep(std::function<bool(const views::Record&)> is_wanted);
  /// Sorts by a key of the view, as --sort does; "" for the view's own order.
  void sortByKey(const std::string& key);
  /// Returns the current sort key, also after a click on a header; "" for the view's own order.
  std::string sortKey() const;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

 private:
  ViewModel& model_;
  analysis::SiteFilter filter_;
  std::function<bool(const views::Record&)> is_wanted_;  ///< the second filter; null hides no row
};

/// Writes the filtered and sorted rows of a model as `--format csv` does.
std::string csvOf(const ViewFilter& filter, const ViewModel& model);

}  // namespace ampprof::gui

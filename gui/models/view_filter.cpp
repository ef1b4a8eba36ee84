// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/view_filter.h"

#include <utility>

#include "views/table/format.h"

namespace ampprof::gui {

ViewFilter::ViewFilter(ViewModel& model, QObject* parent) : QSortFilterProxyModel(parent), model_(model) {
  setSourceModel(&model);
}

void ViewFilter::filter(const views::Selection& selection) {
  check_applies(model_.view(), selection);
  filter_ = views::filter_of(selection);
  invalidateFilter();
}

void ViewFilter::keep(std::function<bool(const views::Record&)> is_wanted) {
  is_wanted_ = std::move(is_wanted);
  invalidateFilter();
}

// Ascending means the order of the command line: the largest number first.
void ViewFilter::sortByKey(const std::string& key) {
  sort(key.empty() ? -1 : model_.columnOf(key), Qt::AscendingOrder);
}

std::string ViewFilter::sortKey() const {
  return sortColumn() < 0 ? "" : model_.view().columns[static_cast<std::size_t>(sortColumn())].key;
}

bool ViewFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const views::Record& record = model_.record(row);
  if (is_wanted_ && !is_wanted_(record)) return false;
  return filter_.is_open() || views::is_let_through(filter_, model_.view(), record);
}

bool ViewFilter::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  return views::comes_before(model_.value(a.row(), a.column()), model_.value(b.row(), b.column()));
}

std::string csvOf(const ViewFilter& filter, const ViewModel& model) {
  views::View seen{.name = model.view().name, .keys = model.view().keys, .columns = {}, .records = {}, .none = ""};
  for (int row = 0; row < filter.rowCount(); ++row) {
    seen.records.push_back(model.record(filter.mapToSource(filter.index(row, 0)).row()));
  }
  return formatted(seen, views::Format::Csv, {});
}

}  // namespace ampprof::gui

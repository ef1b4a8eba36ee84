// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/view_filter.h"

#include "cli/views/format.h"

namespace ampprof::gui {
namespace {

std::string text_at(const cli::Json& json, const std::string& key) {
  const cli::Json& value = cli::at_key(json, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace

ViewFilter::ViewFilter(ViewModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model), filter_(cli::Selection{}) {
  setSourceModel(&model);
}

void ViewFilter::filter(const cli::Selection& selection) {
  check_applies(model_.view(), selection);
  filter_ = cli::SiteFilter(selection);
  invalidateFilter();
}

// Ascending here is the command line's order: the largest number first.
void ViewFilter::sortByKey(const std::string& key) {
  sort(key.empty() ? -1 : model_.columnOf(key), Qt::AscendingOrder);
}

std::string ViewFilter::sortKey() const {
  return sortColumn() < 0 ? "" : model_.view().columns[static_cast<std::size_t>(sortColumn())].key;
}

bool ViewFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  if (filter_.is_open()) return true;
  const cli::Json& json = model_.record(row).json;
  return filter_.lets_through(text_at(json, "phase"), text_at(json, "module"), text_at(json, "op"));
}

bool ViewFilter::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  return cli::comes_before(model_.value(a.row(), a.column()), model_.value(b.row(), b.column()));
}

std::string csvOf(const ViewFilter& filter, const ViewModel& model) {
  cli::View seen{.name = model.view().name, .keys = model.view().keys, .columns = {}, .records = {}, .none = ""};
  for (int row = 0; row < filter.rowCount(); ++row) {
    seen.records.push_back(model.record(filter.mapToSource(filter.index(row, 0)).row()));
  }
  return formatted(seen, cli::Format::Csv, {});
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_csv.h"

#include "gui/models/marked_tree.h"
#include "views/table/format.h"

namespace ampprof::gui {
namespace {

views::Json field_of(const QModelIndex& cell, int check_column) {
  const QVariant check = cell.data(Qt::CheckStateRole);
  if (cell.column() == check_column) return check.isValid() ? views::Json(check.toInt() == Qt::Checked) : views::Json();
  const QVariant value = cell.data(MarkedTree::ValueRole);
  if (!value.isValid()) return {};
  if (value.userType() == QMetaType::QString) return value.toString().toStdString();
  if (value.userType() == QMetaType::LongLong) return value.toLongLong();
  return views::exact(value.toDouble());
}

void add_rows(std::string& csv, const QAbstractItemModel& rows, int check_column, const QModelIndex& parent) {
  for (int row = 0; row < rows.rowCount(parent); ++row) {
    std::vector<views::Json> values;
    for (int column = 0; column < rows.columnCount(parent); ++column) {
      values.push_back(field_of(rows.index(row, column, parent), check_column));
    }
    csv += views::csv_line(values);
    add_rows(csv, rows, check_column, rows.index(row, 0, parent));
  }
}

}  // namespace

std::string csvOf(const QAbstractItemModel& rows, int check_column) {
  std::vector<views::Json> titles;
  for (int column = 0; column < rows.columnCount(); ++column) {
    titles.emplace_back(rows.headerData(column, Qt::Horizontal).toString().toStdString());
  }
  std::string csv = views::csv_line(titles);
  add_rows(csv, rows, check_column, {});
  return csv;
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_csv.h"

#include "views/table/format.h"

namespace ampprof::gui {
namespace {

/// What a tree's CSV is made of.
struct Fields {
  int value_role = 0;
  int check_column = -1;  ///< whose check boxes are its values; -1 for none
};

views::Json field_of(const QModelIndex& cell, const Fields& fields) {
  const QVariant check = cell.data(Qt::CheckStateRole);
  if (cell.column() == fields.check_column)
    return check.isValid() ? views::Json(check.toInt() == Qt::Checked) : views::Json();
  const QVariant value = cell.data(fields.value_role);
  if (!value.isValid()) return {};
  if (value.userType() == QMetaType::QString) return value.toString().toStdString();
  if (value.userType() == QMetaType::LongLong) return value.toLongLong();
  return views::exact(value.toDouble());
}

void add_rows(std::string& csv, const QAbstractItemModel& rows, const Fields& fields, const QModelIndex& parent) {
  for (int row = 0; row < rows.rowCount(parent); ++row) {
    std::vector<views::Json> values;
    for (int column = 0; column < rows.columnCount(parent); ++column) {
      values.push_back(field_of(rows.index(row, column, parent), fields));
    }
    csv += views::csv_line(values);
    add_rows(csv, rows, fields, rows.index(row, 0, parent));
  }
}

std::string csv_of_tree(const QAbstractItemModel& rows, const Fields& fields) {
  std::vector<views::Json> titles;
  for (int column = 0; column < rows.columnCount(); ++column) {
    titles.emplace_back(rows.headerData(column, Qt::Horizontal).toString().toStdString());
  }
  std::string csv = views::csv_line(titles);
  add_rows(csv, rows, fields, {});
  return csv;
}

}  // namespace

std::string csvOf(const BoardOrder& board) { return csv_of_tree(board, {BoardModel::ValueRole, BoardModel::KeepFp32}); }

std::string csvOf(const RecipeOrder& layers) { return csv_of_tree(layers, {RecipeModel::ValueRole}); }

}  // namespace ampprof::gui

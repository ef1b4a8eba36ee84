// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_csv.h"

#include "views/format.h"

namespace ampprof::gui {
namespace {

views::Json field_of(const QModelIndex& cell) {
  const QVariant check = cell.data(Qt::CheckStateRole);
  if (cell.column() == BoardModel::KeepFp32)
    return check.isValid() ? views::Json(check.toInt() == Qt::Checked) : views::Json();
  const QVariant value = cell.data(BoardModel::ValueRole);
  if (!value.isValid()) return {};
  if (value.userType() == QMetaType::QString) return value.toString().toStdString();
  if (value.userType() == QMetaType::LongLong) return value.toLongLong();
  return views::exact(value.toDouble());
}

void add_rows(std::string& csv, const BoardOrder& board, const QModelIndex& parent) {
  for (int row = 0; row < board.rowCount(parent); ++row) {
    std::vector<views::Json> fields;
    for (int column = 0; column < board.columnCount(parent); ++column) {
      fields.push_back(field_of(board.index(row, column, parent)));
    }
    csv += views::csv_line(fields);
    add_rows(csv, board, board.index(row, 0, parent));
  }
}

}  // namespace

std::string csvOf(const BoardOrder& board) {
  std::vector<views::Json> titles;
  for (int column = 0; column < board.columnCount(); ++column) {
    titles.emplace_back(board.headerData(column, Qt::Horizontal).toString().toStdString());
  }
  std::string csv = views::csv_line(titles);
  add_rows(csv, board, {});
  return csv;
}

}  // namespace ampprof::gui

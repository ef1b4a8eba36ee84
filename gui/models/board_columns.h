// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>
#include <string>

namespace ampprof::gui {

struct BoardLine;

/// A column of the board. `value` returns the number or text by which rows are sorted, invalid if there is none; `show`
/// returns the text of a cell.
struct BoardColumn {
  const char* title;
  const char* meaning;
  QVariant (*value)(const BoardLine&);
  std::string (*show)(const BoardLine&);
};

/// Returns a column by its index, a BoardModel::Column.
const BoardColumn& boardColumn(int column);
int boardColumns();

/// Returns the tool tip of a cell: the exact value, or the reason why the row cannot be marked.
QString boardTip(const BoardLine& line, int column);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>
#include <string>

namespace ampprof::gui {

struct BoardLine;

/// A column of the board: the number behind a cell, invalid where there is none, and its text.
struct BoardColumn {
  const char* title;
  const char* meaning;
  QVariant (*value)(const BoardLine&);
  std::string (*show)(const BoardLine&);
};

/// `column`: of BoardModel::Column.
const BoardColumn& boardColumn(int column);
int boardColumns();

/// Returns what a cell says beyond its text: the exact value, or why it cannot be marked.
QString boardTip(const BoardLine& line, int column);

}  // namespace ampprof::gui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/text/terminal.h"

namespace ampprof::views {

enum class Align { Left, Right };

/// Says of a column that it is shown unless all of its rows are the same.
inline constexpr int kSpareIfSame = -1;

struct Column {
  std::string title;
  Align align = Align::Left;
  bool flexible = false;  ///< may lose the middle of its texts when the terminal is narrow
  int spare = 0;          ///< 0: always shown; else left out on narrow terminals, the highest number first, and before
                          ///< these what is empty, and what is the same in all rows; kSpareIfSame: then alone
  std::string key = {};   ///< of a View: which of its keys the column shows; "" where it shows several
  bool drawing = false;   ///< its texts are drawings of characters that must be equally wide
};

struct Cell {
  std::string text;
  text::Tone tone = text::Tone::Plain;

  bool operator==(const Cell&) const = default;
};

/// Text in rows and columns. Each row has one cell per column.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  bool wraps = false;  ///< sentences: flexible cells go on in further lines instead of losing their middle
};

/// Cells of each column at a terminal width; 0 for a column that is left out. Two blanks part columns.
std::vector<int> column_widths(const Table& table, int width);

/// Titles of the columns that are left out at this width.
std::vector<std::string> hidden_columns(const Table& table, int width);

/// Lines, each ending in a newline and none wider than the terminal.
std::string render(const Table& table, const text::Terminal& terminal);

/// A Markdown table; whole, whatever the width.
std::string render_markdown(const Table& table);

/// `text` in a tone, where colours are wanted.
std::string painted(const std::string& text, text::Tone tone, bool colours);

}  // namespace ampprof::views

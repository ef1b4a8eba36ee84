// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/text/terminal.h"

namespace ampprof::views {

enum class Align { Left, Right };

/// Marks a column that narrow terminals omit only if it is empty or constant.
inline constexpr int kSpareIfSame = -1;

struct Column {
  std::string title;
  Align align = Align::Left;
  bool flexible = false;  ///< its texts may lose their middle on a narrow terminal
  int spare = 0;          ///< order in which narrow terminals omit columns: empty ones first, then constant ones, then
                          ///< the highest number first. 0: only if empty; kSpareIfSame: only if empty or constant
  std::string key = {};   ///< key of View::keys that the column shows; "" if it shows several, or outside of a View
  bool drawing = false;   ///< its texts are drawings, which need a font with characters of equal width
  std::string about = {};  ///< a sentence that says what the column holds; "" if there is none
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
  bool wraps = false;  ///< flexible cells hold sentences, which wrap instead of losing their middle
};

/// Returns the width of each column at a terminal width, in cells; 0 for an omitted column. Two spaces separate
/// columns.
std::vector<int> column_widths(const Table& table, int width);

/// Returns the titles of the columns omitted at this width.
std::vector<std::string> hidden_columns(const Table& table, int width);

/// Returns lines that end in a newline and fit the terminal.
std::string render(const Table& table, const text::Terminal& terminal);

/// Returns a complete Markdown table, whatever the width.
std::string render_markdown(const Table& table);

/// Returns `text` in a tone, if colours are wanted.
std::string painted(const std::string& text, text::Tone tone, bool colours);

}  // namespace ampprof::views

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
  bool flexible = false;   ///< a narrow terminal may cut the middle out of texts
  int spare = 0;           ///< priority of omission on narrow terminals: empty columns go first, then constant columns,
                           ///< then the highest number. 0: only if empty; kSpareIfSame: only if empty or constant
  std::string key = {};    ///< key of View::keys that the column shows; "" for several keys, or outside of a View
  bool drawing = false;    ///< texts are drawings, which need a font with characters of equal width
  std::string about = {};  ///< a sentence that describes the column; "" without one
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
  bool wraps = false;  ///< texts of flexible columns are wrapped instead of cut in the middle
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

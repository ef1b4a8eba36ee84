// SPDX-License-Identifier: Apache-2.0
#include "views/table/table.h"

#include <algorithm>
#include <utility>

#include "reports/text/elide.h"
#include "reports/text/numbers.h"

namespace ampprof::views {
namespace {

constexpr int kGap = 2;
constexpr int kNarrowestFlexible = 28;

int total(const std::vector<int>& widths) {
  int sum = -kGap;
  for (const int width : widths) sum += width > 0 ? width + kGap : 0;
  return sum;
}

std::vector<int> natural_widths(const Table& table) {
  std::vector<int> widths;
  for (const Column& column : table.columns) widths.push_back(std::max(1, text::display_width(column.title)));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], text::display_width(row.at(i).text));
  }
  return widths;
}

// Narrows flexible columns, the widest first, until the table fits or no flexible column is wider than `floor`.
void shrink(const Table& table, std::vector<int>& widths, int width, int floor) {
  for (int excess = total(widths) - width; excess > 0; --excess) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool can = table.columns[i].flexible && widths[i] > floor;
      if (can && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
  }
}

bool is_nothing(const std::string& text) { return text.empty() || text == text::kAbsent || text == "0"; }

/// Returns a priority for each column: columns with higher priority are omitted first, columns with 0 never. Empty
/// columns have the highest priority, then constant columns, then columns that distinguish rows.
std::vector<int> spares(const Table& table) {
  constexpr int kSame = 1'000;
  constexpr int kEmpty = 1'000'000;
  std::vector<int> spares;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const int spare = table.columns[i].spare;
    const auto cell = [i](const std::vector<Cell>& row) -> const std::string& { return row.at(i).text; };
    const bool is_empty = std::ranges::all_of(table.rows, is_nothing, cell);
    const bool is_same = table.rows.size() > 1 && std::ranges::all_of(table.rows, [&](const std::vector<Cell>& row) {
                           return cell(row) == cell(table.rows.front());
                         });
    const int usual = is_same && spare != 0 ? kSame + std::max(spare, 0) : std::max(spare, 0);
    spares.push_back(is_empty && !table.rows.empty() ? kEmpty + spare : usual);
  }
  return spares;
}

// Returns the index of the next column to omit; the number of columns if no further column may be omitted.
std::size_t most_spare(const std::vector<int>& spares, const std::vector<int>& widths) {
  std::size_t found = widths.size();
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (spares[i] > 0 && widths[i] > 0 && (found == widths.size() || spares[i] > spares[found])) found = i;
  }
  return found;
}

std::string padded(const std::string& text, int width, Align align) {
  const std::string blanks(std::max(0, width - text::display_width(text)), ' ');
  return align == Align::Right ? blanks + text : text + blanks;
}

// Returns the lines of a row: one line, or with `wraps` as many lines as the longest cell needs.
std::vector<std::vector<Cell>> lines_of(const Table& table, const std::vector<Cell>& cells,
                                        const std::vector<int>& widths, bool wraps) {
  if (!wraps) return {cells};
  std::vector<std::vector<Cell>> lines{cells};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!table.columns[i].flexible || widths[i] == 0) continue;
    const std::vector<std::string> texts = text::wrap(cells[i].text, widths[i]);
    if (texts.size() > lines.size()) lines.resize(texts.size(), std::vector<Cell>(cells.size()));
    for (std::size_t k = 0; k < texts.size(); ++k) lines[k][i] = {texts[k], cells[i].tone};
  }
  return lines;
}

std::string line(const Table& table, const std::vector<Cell>& cells, const std::vector<int>& widths, bool colours) {
  std::string blanks;  // padding and gap, written only before a further cell, so that no line ends in spaces
  std::string result;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (widths[i] == 0) continue;
    const std::string text = text::elide_middle(cells[i].text, widths[i]);
    const std::string cell = padded(text, widths[i], table.columns[i].align);
    const auto end = cell.find_last_not_of(' ') + 1;
    if (end > 0) result += std::exchange(blanks, "") + painted(cell.substr(0, end), cells[i].tone, colours);
    blanks += std::string(cell.size() - end + kGap, ' ');
  }
  return result + '\n';
}

// Escapes bars for Markdown. Escapes backslashes too, because a backslash would cancel the escape of a bar.
std::string escaped(std::string text) {
  for (std::size_t i = 0; (i = text.find_first_of("|\\", i)) != std::string::npos; i += 2) text.insert(i, 1, '\\');
  return text;
}

}  // namespace

std::vector<int> column_widths(const Table& table, int width) {
  const std::vector<int> natural = natural_widths(table);
  const std::vector<int> spare = spares(table);
  std::vector<int> shown = natural;  // the natural width of a shown column, 0 for an omitted column
  while (true) {
    std::vector<int> widths = shown;
    shrink(table, widths, width, kNarrowestFlexible);
    const std::size_t next = most_spare(spare, shown);
    if (total(widths) <= width || next == shown.size()) {
      shrink(table, widths, width, 1);
      return widths;
    }
    shown[next] = 0;
  }
}

std::vector<std::string> hidden_columns(const Table& table, int width) {
  std::vector<std::string> hidden;
  const std::vector<int> widths = column_widths(table, width);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] == 0) hidden.push_back(table.columns[i].title);
  }
  return hidden;
}

std::string painted(const std::string& text, text::Tone tone, bool colours) {
  if (!colours || tone == text::Tone::Plain || text.empty()) return text;
  return text::begin_of(tone) + text + text::kEndOfTone;
}

std::string render(const Table& table, const text::Terminal& terminal) {
  const std::vector<int> widths = column_widths(table, terminal.width);
  std::vector<Cell> titles;
  for (const Column& column : table.columns) titles.push_back({column.title, text::Tone::Strong});
  std::string result;
  for (const std::vector<Cell>& titles_line : lines_of(table, titles, widths, /*wraps=*/true)) {
    result += line(table, titles_line, widths, terminal.colours);
  }
  for (const auto& row : table.rows) {
    for (const auto& cells : lines_of(table, row, widths, table.wraps)) {
      result += line(table, cells, widths, terminal.colours);
    }
  }
  return result;
}

std::string render_markdown(const Table& table) {
  std::string result = "|";
  for (const Column& column : table.columns) result += ' ' + escaped(column.title) + " |";
  result += "\n|";
  for (const Column& column : table.columns) result += column.align == Align::Right ? " ---: |" : " --- |";
  result += '\n';
  for (const auto& row : table.rows) {
    result += '|';
    for (const Cell& cell : row) result += ' ' + escaped(cell.text) + " |";
    result += '\n';
  }
  return result;
}

}  // namespace ampprof::views

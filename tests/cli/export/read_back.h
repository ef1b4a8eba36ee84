// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// Parsers for exports, written from the specifications of the formats without code of ampprof.
namespace ampprof::cli {

using Rows = std::vector<std::vector<std::string>>;

/// Parses CSV as in RFC 4180, but with line feeds. Returns no rows if the text breaks a rule.
inline Rows parse_csv(std::string_view text) {
  Rows rows{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (quoted) {
      c == '"' ? void(quoted = false) : rows.back().back().push_back(c);
    } else if (c == '"') {
      if (!rows.back().back().empty()) return {};
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back().push_back(c);
    }
  }
  if (quoted || rows.back() != std::vector<std::string>{""}) return {};
  rows.pop_back();
  return rows;
}

/// Returns the cells of one line of a GitHub Markdown table. A backslash escapes the next character.
inline std::vector<std::string> parse_markdown_row(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {  // skips the leading |
    if (line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '|' || line[i + 1] == '\\')) {
      cell += line[++i];
    } else if (line[i] == '|') {
      const std::size_t begin = cell.find_first_not_of(' ');
      cells.push_back(begin == cell.npos ? "" : cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

/// Replaces the entities in a text of XML or HTML. Returns "unreadable" if the text has markup or an & without an
/// entity.
inline std::string unescaped(std::string_view text) {
  static const std::vector<std::pair<std::string_view, char>> kEntities{
      {"&amp;", '&'},   {"&lt;", '<'},  {"&gt;", '>'},   {"&quot;", '"'}, {"&#39;", '\''},
      {"&apos;", '\''}, {"&#9;", '\t'}, {"&#10;", '\n'}, {"&#13;", '\r'}};
  std::string result;
  while (!text.empty()) {
    std::size_t length = 1;
    char c = text.front();
    if (c == '<' || c == '>' || c == '"' || c == '\'') return "unreadable";
    if (c == '&') {
      length = 0;
      for (const auto& [entity, meant] : kEntities) {
        if (text.starts_with(entity)) std::tie(c, length) = std::pair(meant, entity.size());
      }
      if (length == 0) return "unreadable";
    }
    result += c;
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace ampprof::cli

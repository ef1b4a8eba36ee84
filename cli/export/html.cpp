// SPDX-License-Identifier: Apache-2.0
#include "cli/export/html.h"

#include <fmt/format.h>

#include "analysis/ops/group.h"
#include "reports/text/elide.h"

namespace ampprof::cli {
namespace {

const char* class_of(text::Tone tone) {
  switch (tone) {
    case text::Tone::Bad:
      return "bad";
    case text::Tone::Attention:
      return "attention";
    case text::Tone::Strong:
      return "strong";
    default:
      return "";
  }
}

// Allows line breaks after each dot and slash, for module paths.
std::string with_breaks(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '.' || c == '/') result += "<wbr>";
  }
  return result;
}

std::string cell(const HtmlCell& cell, const HtmlColumn& column) {
  std::string classes = class_of(cell.tone);
  if (column.align == views::Align::Right) classes += classes.empty() ? "number" : " number";
  const std::string attributes = (classes.empty() ? "" : fmt::format(" class=\"{}\"", classes)) +
                                 (cell.rank ? fmt::format(" data-rank=\"{:g}\"", *cell.rank) : "");
  const bool is_path = column.align == views::Align::Left && cell.text.size() > 20;
  const std::string text = escaped(cell.text);
  return fmt::format("<td{}>{}</td>", attributes, is_path ? with_breaks(text) : text);
}

std::string heading(const HtmlColumn& column, bool sortable) {
  const std::string classes = column.align == views::Align::Right ? " class=\"number\"" : "";
  const std::string title = escaped(column.title);
  return fmt::format("<th scope=\"col\"{}>{}</th>", classes,
                     sortable ? "<button type=\"button\">" + title + "</button>" : title);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text::printable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string html_table(const std::vector<HtmlColumn>& columns, const std::vector<std::vector<HtmlCell>>& rows,
                       bool sortable) {
  std::string html =
      fmt::format("<div class=\"frame\" tabindex=\"0\"><table{}>\n<thead><tr>", sortable ? " class=\"sortable\"" : "");
  for (const HtmlColumn& column : columns) html += heading(column, sortable);
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) html += cell(row[i], columns.at(i));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string html_table(const views::View& view) {
  if (view.records.empty()) return "<p>" + escaped(views::in_place_of_rows(view)) + "</p>\n";
  std::vector<HtmlColumn> columns;
  for (const views::Column& column : view.columns) columns.push_back({column.title, column.align});
  std::vector<std::vector<HtmlCell>> rows;
  for (const views::Record& record : view.records) {
    auto& row = rows.emplace_back();
    for (const views::Cell& cell : record.cells) row.push_back({cell.text, cell.tone});
  }
  return html_table(columns, rows);
}

std::string html_section(const std::string& id, const std::string& title, const std::string& content) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, escaped(title), content);
}

}  // namespace ampprof::cli

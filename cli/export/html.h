// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "views/table/view.h"

/// Pieces of a page. All text of a report passes through escaped(), in text and in quoted attributes.
namespace ampprof::cli {

/// Escapes text for HTML: & < > " ' become references, control characters "?".
std::string escaped(std::string_view text);

/// A cell of a sortable column: sorts by `rank` if it has one, else by its text.
struct HtmlCell {
  std::string text;
  text::Tone tone = text::Tone::Plain;
  std::optional<double> rank = {};
};

struct HtmlColumn {
  std::string title;
  views::Align align = views::Align::Left;
};

/// Puts a table into a frame that scrolls if the page is too narrow. With `sortable`, its headings are buttons.
std::string html_table(const std::vector<HtmlColumn>& columns, const std::vector<std::vector<HtmlCell>>& rows,
                       bool sortable = false);

/// Returns the table of a view as `ampprof show` prints it, with every column; without rows, its sentence.
std::string html_table(const views::View& view);

/// Returns a part of the page under a heading; `id` is its anchor.
std::string html_section(const std::string& id, const std::string& title, const std::string& content);

}  // namespace ampprof::cli

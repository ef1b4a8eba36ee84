// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "views/table/view.h"

/// Pieces of a page. Whatever comes from a report passes through escaped(): in text and in quoted attributes.
namespace ampprof::cli {

/// Text for HTML: & < > " ' as references, control characters as "?".
std::string escaped(std::string_view text);

/// A cell whose column can be sorted: by `rank` where it has one, else by its text.
struct HtmlCell {
  std::string text;
  text::Tone tone = text::Tone::Plain;
  std::optional<double> rank = {};
};

struct HtmlColumn {
  std::string title;
  views::Align align = views::Align::Left;
};

/// A table in a frame that scrolls by itself where the page is too narrow. With `sortable` its headings are buttons.
std::string html_table(const std::vector<HtmlColumn>& columns, const std::vector<std::vector<HtmlCell>>& rows,
                       bool sortable = false);

/// The table of a view as `ampprof show` prints it, with every column; its sentence where it has no rows.
std::string html_table(const views::View& view);

/// A part of the page under a heading; `id` is its anchor.
std::string html_section(const std::string& id, const std::string& title, const std::string& content);

}  // namespace ampprof::cli

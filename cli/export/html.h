// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "views/table/view.h"

/// Building blocks of the HTML page. All text of a report, which is untrusted, passes through escaped().
namespace ampprof::cli {

/// Escapes text for HTML and for quoted attributes: & < > " ' become references, control characters become "?".
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

/// Returns a table in a frame that scrolls if the page is too narrow. With `sortable`, headings are buttons.
std::string html_table(const std::vector<HtmlColumn>& columns, const std::vector<std::vector<HtmlCell>>& rows,
                       bool sortable = false);

/// Returns a view's table with every column, its cells as in `ampprof show`. Without rows, returns the view's sentence.
std::string html_table(const views::View& view);

/// Returns `content` under a heading; `id` is the anchor.
std::string html_section(const std::string& id, const std::string& title, const std::string& content);

}  // namespace ampprof::cli

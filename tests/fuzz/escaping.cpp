// SPDX-License-Identifier: Apache-2.0
// libFuzzer: parsers of the export formats read each name back unchanged. NUL separates names.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/diagnosis/judged_gates.h"
#include "cli/export/html.h"
#include "reports/store/clean_text.h"
#include "reports/text/elide.h"
#include "tests/cli/export/read_back.h"
#include "views/diagnosis/gates.h"
#include "views/table/format.h"
#include "views/table/sql_rows.h"
#include "views/table/table.h"
#include "views/table/xml.h"

namespace {

using namespace ampprof;
using namespace ampprof::cli;

using Texts = std::vector<std::string>;

void require(bool holds) {
  if (!holds) std::abort();
}

Texts split(std::string_view bytes) {
  Texts texts{""};
  for (const char c : bytes) {
    if (c == '\0') {
      texts.emplace_back();
    } else {
      texts.back() += c;
    }
  }
  return texts;
}

Texts lines_of(const std::string& text) {
  std::istringstream stream(text);
  Texts lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

void check_csv_and_json(const Texts& raw, const Texts& clean) {
  require(parse_csv(views::csv_line({clean.begin(), clean.end()})) == Rows{clean});
  require(views::Json::parse(parse_csv(views::csv_line({views::Json(clean), views::Json()})).at(0).at(0)) ==
          views::Json(clean));
  for (std::size_t i = 0; i < raw.size(); ++i) {
    require(store::clean_text(clean[i]) == clean[i]);
    require(views::Json::parse(views::to_text({{clean[i], clean[i]}})).at(clean[i]) == clean[i]);
    require(views::Json::parse(views::to_text({{"key", raw[i]}})).at("key").is_string());  // invalid UTF-8 is repaired
    require(views::to_json(queries::SqlValue(queries::SqlBytes{raw[i]})).get<std::string>().size() ==
            2 * raw[i].size());
  }
}

// Returns whether XML can hold a text. XML forbids two characters that clean_text() keeps.
bool is_xml(const std::string& text) {
  return text.find("\xEF\xBF\xBE") == text.npos && text.find("\xEF\xBF\xBF") == text.npos;
}

void check_markup(const Texts& raw, const Texts& clean) {
  const auto tags_of = [](const std::string& text) { return std::count(text.begin(), text.end(), '<'); };
  for (std::size_t i = 0; i < raw.size(); ++i) {
    require(unescaped(escaped(clean[i])) == text::printable(clean[i]));
    require(!is_xml(clean[i]) || unescaped(views::xml_escaped(clean[i])) == clean[i]);
    require(views::xml_escaped(raw[i]).find_first_of("<>\"'") == std::string::npos);
    require(tags_of(views::junit({}, raw[i])) == tags_of(views::junit({}, "")));
    std::string page = html_table({{clean[i]}}, {{{clean[i]}}}, true);
    for (auto at = page.find("<wbr>"); at != page.npos; at = page.find("<wbr>", at)) page.erase(at, 5);
    require(tags_of(page) == tags_of(html_table({{""}}, {{{""}}}, true)));
  }
}

void check_tables(const Texts& clean) {
  views::Table table;
  Texts shown;
  std::vector<views::Cell> row;
  for (const std::string& text : clean) {
    // Cells of views are printable. Markdown strips spaces around them.
    const std::string name = "x" + text::printable(text) + "x";
    shown.push_back(name);
    row.push_back({name});
    table.columns.push_back({.title = name, .flexible = true});
  }
  table.rows.push_back(row);
  const Texts markdown = lines_of(views::render_markdown(table));
  require(markdown.size() == 3 && parse_markdown_row(markdown[0]) == shown && parse_markdown_row(markdown[2]) == shown);
  int natural = -2;  // two spaces between columns, but none after the last
  for (const std::string& text : shown) natural += text::display_width(text) + 2;
  for (const int width : {20, 80}) {
    const Texts lines = lines_of(views::render(table, {.width = width}));
    require(natural <= width ? lines.size() == 2 : lines.size() > 1);  // only titles that do not fit wrap
    for (const std::string& line : lines)
      require(std::ranges::none_of(line, is_control) && store::clean_text(line) == line);
    for (const std::string& text : shown) require(text::display_width(text::elide_middle(text, width)) <= width);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Texts raw = split({reinterpret_cast<const char*>(data), size});
  Texts clean;
  for (const std::string& text : raw) clean.push_back(store::clean_text(text));
  check_csv_and_json(raw, clean);
  check_markup(raw, clean);
  check_tables(clean);
  return 0;
}

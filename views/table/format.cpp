// SPDX-License-Identifier: Apache-2.0
#include "views/table/format.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/ops/nearest.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "reports/text/usage_error.h"

namespace ampprof::views {
namespace {

// Quotes a field with a comma, a quote or a line break, as RFC 4180 requires.
std::string csv_field(const Json& value) {
  if (value.is_null()) return {};
  const std::string text =
      value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string as_csv(const View& view) {
  std::string result = csv_line({view.keys.begin(), view.keys.end()});
  for (const Record& record : view.records) {
    std::vector<Json> fields;
    for (const std::string& key : view.keys) fields.push_back(at_key(record.json, key));
    result += csv_line(fields);
  }
  return result;
}

/// Returns View::order and View::said, followed by an empty line; "" if the view has no sentences.
std::string sentences_of(const View& view, Format format, const text::Terminal& terminal) {
  std::string said;
  const auto say = [&](const Sentence& sentence) {
    said += format == Format::Markdown ? "- " + sentence.text + '\n' : wrapped(sentence, terminal);
  };
  if (!view.order.empty()) say({view.order});
  std::ranges::for_each(view.said, say);
  return said.empty() ? said : said + '\n';
}

std::string as_json(const View& view) {
  Json array = Json::array();
  for (const Record& record : view.records) array.push_back(record.json);
  return to_text(array);
}

}  // namespace

Format format_from(const std::string& text) {
  if (text == "table") return Format::Table;
  if (text == "json") return Format::Json;
  if (text == "csv") return Format::Csv;
  if (text == "md") return Format::Markdown;
  throw text::UsageError("--format: unknown format '" + text + "'." +
                         analysis::did_you_mean(text, {"table", "json", "csv", "md"}) + " Use table, json, csv or md.");
}

std::string csv_line(const std::vector<Json>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csv_field(fields[i]);
  return line + '\n';
}

std::string to_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; }

std::string words_of(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

Table table_of(const View& view) {
  Table table{view.columns, {}, view.wraps};
  if (view.merged != nullptr) {
    table.rows = view.merged(view);
    return table;
  }
  for (const Record& record : view.records) table.rows.push_back(record.cells);
  return table;
}

std::string formatted(const View& view, Format format, const text::Terminal& terminal) {
  if (format == Format::Json) return as_json(view);
  if (format == Format::Csv) return as_csv(view);
  if (view.records.empty()) return in_place_of_rows(view) + '\n';
  return sentences_of(view, format, terminal) +
         (format == Format::Markdown ? render_markdown(table_of(view)) : render(table_of(view), terminal));
}

// Writes to stderr, so that stdout has only data.
void note_left_out(const View& view, std::size_t left_out, Format format, const text::Terminal& terminal) {
  if (left_out > 0) fmt::print(stderr, "ampprof: {} more rows. --limit N prints more.\n", left_out);
  if (format != Format::Table || view.records.empty()) return;
  const auto hidden = hidden_columns(table_of(view), terminal.width);
  if (hidden.empty()) return;
  fmt::print(stderr, "ampprof: a width of {} columns is too narrow for {}. --format json has everything.\n",
             terminal.width, text::listed(hidden));
}

}  // namespace ampprof::views

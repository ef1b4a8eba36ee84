// SPDX-License-Identifier: Apache-2.0
#include "views/table/sql_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/ops/nearest.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"

namespace ampprof::views {
namespace {

std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::vector<std::string> distinct(const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& column : columns) {
    std::string name = column;
    for (int i = 2; std::ranges::find(names, name) != names.end(); ++i) name = fmt::format("{}_{}", column, i);
    names.push_back(name);
  }
  return names;
}

Cell cell_of(const queries::SqlValue& value) {
  const Json json = views::to_json(value);
  if (json.is_null()) return {std::string(text::kAbsent), text::Tone::Faint};
  return {json.is_string() ? text::printable(json.get<std::string>()) : json.dump()};
}

bool is_number(const queries::SqlValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

bool is_null(const queries::SqlValue& value) { return std::holds_alternative<std::monostate>(value); }

std::vector<Json> fields_of(const std::vector<queries::SqlValue>& row) {
  std::vector<Json> fields;
  for (const queries::SqlValue& value : row) fields.push_back(views::to_json(value));
  return fields;
}

Value value_from(const queries::SqlValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  const Json json = views::to_json(value);
  return json.is_null() ? Value() : Value(json.get<std::string>());
}

Json object_of(const std::vector<std::string>& keys, const std::vector<queries::SqlValue>& row) {
  Json object = Json::object();
  for (std::size_t i = 0; i < keys.size(); ++i) object[keys[i]] = views::to_json(row[i]);
  return object;
}

/// Returns " Did you mean 'module'?" for SQLite's error "no such column: modul" or "no such column: c.modul". If a
/// table of the report has a column of exactly that name, names the table instead.
std::string suggestion_for(const std::string& said, const std::filesystem::path& report) {
  for (const std::string_view sign : {"no such table: ", "no such column: "}) {
    if (!said.starts_with(sign)) continue;
    const std::string qualified = said.substr(sign.size());
    const std::string name = qualified.substr(qualified.rfind('.') + 1);  // without a dot, npos + 1 is 0
    const std::vector<std::string> tables = queries::tables_with(report, name);
    if (!tables.empty()) return fmt::format(" It is a column of {}.", fmt::join(tables, ", "));
    return analysis::did_you_mean(name, queries::names_in_schema(report));
  }
  return "";
}

/// Returns the line of the query that contains a byte offset, with a mark below the offset.
std::string place_in(const std::string& query, std::size_t offset) {
  if (offset >= query.size()) return "";
  // In the first line, npos + 1 is 0.
  const std::size_t begin = offset == 0 ? 0 : query.rfind('\n', offset - 1) + 1;
  const std::string line = query.substr(begin, query.find('\n', offset) - begin);
  const int before = text::display_width(line.substr(0, offset - begin));
  return fmt::format("\n  {}\n  {:>{}}", text::printable(line), "^", before + 1);
}

}  // namespace

std::string explained(const queries::QueryError& error, const std::filesystem::path& report, const std::string& query,
                      const std::string& remedy) {
  const std::string said = error.what();
  const std::string place = error.offset() ? place_in(query, *error.offset()) : "";
  return fmt::format("{}{}.{}{}", said, remedy, suggestion_for(said, report), place);
}

Json to_json(const queries::SqlValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<double>(&value)) return exact(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* blob = std::get_if<queries::SqlBytes>(&value)) return hexadecimal(blob->bytes);
  return {};
}

void print_all(queries::UserQuery& query, Format format, std::FILE* file) {
  const std::vector<std::string> keys = distinct(query.columns());
  const bool is_csv = format == Format::Csv;
  fmt::print(file, "{}", is_csv ? csv_line({keys.begin(), keys.end()}) : "[");
  bool first = true;
  while (const auto row = query.next()) {
    if (is_csv) {
      fmt::print(file, "{}", csv_line(fields_of(*row)));
    } else {
      const Json object = object_of(keys, *row);
      fmt::print(file, "{}\n  {}", first ? "" : ",", object.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    first = false;
  }
  if (!is_csv) fmt::print(file, "{}]\n", first ? "" : "\n");
}

std::pair<Json, bool> first_objects(queries::UserQuery& query, std::size_t limit) {
  const std::vector<std::string> keys = distinct(query.columns());
  Json objects = Json::array();
  std::optional<std::vector<queries::SqlValue>> row = query.next();
  for (; row && objects.size() < limit; row = query.next()) objects.push_back(object_of(keys, *row));
  return {std::move(objects), row.has_value()};
}

std::pair<View, bool> first_rows(queries::UserQuery& query, std::size_t limit) {
  View view{.name = "sql", .keys = distinct(query.columns()), .columns = {}, .records = {}, .none = "No row matches."};
  std::vector<bool> numeric(view.keys.size(), true);
  std::optional<std::vector<queries::SqlValue>> row = query.next();
  for (; row && view.records.size() < limit; row = query.next()) {
    Record& record = view.records.emplace_back();
    record.json = object_of(view.keys, *row);
    for (std::size_t i = 0; i < row->size(); ++i) {
      record.cells.push_back(cell_of((*row)[i]));
      record.values.push_back(value_from((*row)[i]));
      numeric[i] = numeric[i] && (is_number((*row)[i]) || is_null((*row)[i]));
    }
  }
  for (std::size_t i = 0; i < view.keys.size(); ++i) {
    view.columns.push_back({.title = text::printable(query.columns()[i]),
                            .align = numeric[i] ? Align::Right : Align::Left,
                            .flexible = !numeric[i],
                            .spare = static_cast<int>(i),
                            .key = view.keys[i]});
  }
  return {std::move(view), row.has_value()};
}

}  // namespace ampprof::views

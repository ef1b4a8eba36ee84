// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "views/table/view.h"

namespace ampprof::views {

enum class Format { Table, Json, Csv, Markdown };

/// Tables and Markdown, which are short and rounded.
constexpr bool is_for_people(Format format) { return format == Format::Table || format == Format::Markdown; }

/// "table", "json", "csv" or "md"; throws UsageError for any other text.
Format format_from(const std::string& text);

/// A view in one format, ending in a newline.
std::string formatted(const View& view, Format format, const text::Terminal& terminal);

/// One record of CSV (RFC 4180, lines end in a line feed): null is an empty cell; lists and objects are JSON text.
std::string csv_line(const std::vector<Json>& fields);

/// Says on stderr how many rows were left out and which columns the terminal is too narrow for.
void note_left_out(const View& view, std::size_t left_out, Format format, const text::Terminal& terminal);

/// JSON text, indented; text that is not UTF-8 is repaired.
std::string to_text(const Json& json);

/// Returns a name of several words for people: "not_eligible" -> "not eligible".
std::string words_of(std::string_view name);

Table table_of(const View& view);

}  // namespace ampprof::views

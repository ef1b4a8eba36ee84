// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "views/table/view.h"

namespace ampprof::views {

enum class Format { Table, Json, Csv, Markdown };

/// Returns whether a format is for people. Tables and Markdown shorten texts and round numbers.
constexpr bool is_for_people(Format format) { return format == Format::Table || format == Format::Markdown; }

/// Parses "table", "json", "csv" or "md"; throws UsageError for other text.
Format format_from(const std::string& text);

/// Writes a view in one format, ending in a newline.
std::string formatted(const View& view, Format format, const text::Terminal& terminal);

/// Writes one line of CSV (RFC 4180, but lines end in a line feed). null becomes an empty cell; lists and objects
/// become JSON text.
std::string csv_line(const std::vector<Json>& fields);

/// Prints to stderr the number of omitted rows `left_out`, and the columns that do not fit the terminal.
void note_left_out(const View& view, std::size_t left_out, Format format, const text::Terminal& terminal);

/// Returns indented JSON text. Repairs text that is not UTF-8.
std::string to_text(const Json& json);

/// Replaces underscores by spaces: "not_eligible" becomes "not eligible".
std::string words_of(std::string_view name);

Table table_of(const View& view);

}  // namespace ampprof::views

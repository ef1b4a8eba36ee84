// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text in terminal cells. Reports are untrusted, so all text from a report passes through printable().
namespace ampprof::text {

/// Returns the number of cells of a UTF-8 text, one per code point.
int display_width(std::string_view text);

/// Replaces control characters by "?", so that a terminal interprets no text of a report as a command.
std::string printable(std::string_view text);

/// Shortens a text to `width` cells by cutting out its middle: "a long…sentence". The last part of a path stays
/// complete if at least 5 cells before it remain: "encoder.la…/convolution_backward".
std::string elide_middle(std::string_view text, int width);

/// Returns a source line without the directory: "train.py:31" for "/home/me/train.py:31".
std::string short_source(std::string_view source);

/// Breaks text at spaces into lines of at most `width` cells. A longer word is alone on its line. All lines but the
/// first begin with `indent` spaces.
std::vector<std::string> wrap(std::string_view text, int width, int indent = 0);

}  // namespace ampprof::text

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text as it lands in terminal cells. Reports are untrusted, so what comes from one passes through printable().
namespace ampprof::text {

/// Cells a UTF-8 text takes, one per code point.
int display_width(std::string_view text);

/// Control characters become "?", so that no text of a report reaches the terminal as a command.
std::string printable(std::string_view text);

/// At most `width` cells; what is too long loses its middle: "a long…sentence". Of a path, what is behind the last
/// slash stays whole if that leaves room for something before it: "encoder.la…/convolution_backward".
std::string elide_middle(std::string_view text, int width);

/// A line of code without the way to its file: "train.py:31" of "/home/me/train.py:31".
std::string short_source(std::string_view source);

/// Lines of at most `width` cells, broken at blanks, a word that is longer alone on its line; all but the first line
/// start with `indent` blanks.
std::vector<std::string> wrap(std::string_view text, int width, int indent = 0);

}  // namespace ampprof::text

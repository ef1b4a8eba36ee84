// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "reports/text/terminal.h"

namespace ampprof::views {

/// One statement about a report.
struct Sentence {
  std::string text;
  text::Tone tone = text::Tone::Plain;
  std::string_view view = {};  ///< view of `ampprof show` with the evidence; "" for none

  bool operator==(const Sentence&) const = default;
};

/// Returns the sentence in its colour, wrapped for the terminal. Indents all lines but the first.
std::string wrapped(const Sentence& sentence, const text::Terminal& terminal);

}  // namespace ampprof::views

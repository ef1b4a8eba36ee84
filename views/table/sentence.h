// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "reports/text/terminal.h"

namespace ampprof::views {

/// One thing that the report says, as a sentence.
struct Sentence {
  std::string text;
  text::Tone tone = text::Tone::Plain;
  std::string_view view = {};  ///< of `ampprof show`, which has the evidence; "" for none

  bool operator==(const Sentence&) const = default;
};

/// Returns lines of the terminal, those behind the first set in, in the colour of the sentence.
std::string wrapped(const Sentence& sentence, const text::Terminal& terminal);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/findings.h"
#include "analysis/targets.h"
#include "reports/text/terminal.h"

namespace ampprof::views {

/// One thing that the report says, as a sentence.
struct Sentence {
  std::string text;
  text::Tone tone = text::Tone::Plain;
  std::string_view view = {};  ///< of `ampprof show`, which has the evidence; "" for none

  bool operator==(const Sentence&) const = default;
};

/// Says what times of levels in half precision are worth that a CPU took.
inline constexpr const char* kTimesOfCpu = "FP16 is emulated on the CPU: errors are those of a GPU, times are not.";

/// Returns what the report says, most important first.
std::vector<Sentence> answer(const analysis::ReportRows& rows, const analysis::Targets& targets);

/// Returns lines of the terminal, those behind the first set in, in the colour of the sentence.
std::string wrapped(const Sentence& sentence, const text::Terminal& terminal);

}  // namespace ampprof::views

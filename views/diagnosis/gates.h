// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "views/table/format.h"

namespace ampprof::analysis {
struct JudgedGate;
}

namespace ampprof::views {

/// One line per gate: how it came out, and the values on both sides of its comparisons.
View gates_view(const std::vector<analysis::JudgedGate>& gates, Format format);

/// Returns what `ampprof check` prints; Markdown has a heading with the outcome, for a comment on a change.
std::string formatted(const std::vector<analysis::JudgedGate>& gates, const std::string& report, Format format,
                      const text::Terminal& terminal);

/// JUnit XML: a suite named `suite` with one test case per gate.
std::string junit(const std::vector<analysis::JudgedGate>& gates, const std::string& suite);

}  // namespace ampprof::views

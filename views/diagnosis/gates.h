// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "views/table/format.h"

namespace ampprof::analysis {
struct JudgedGate;
}

namespace ampprof::views {

/// Returns one row per gate: the outcome, and the values on both sides of each comparison.
View gates_view(const std::vector<analysis::JudgedGate>& gates, Format format);

/// Returns the output of `ampprof check`. Markdown begins with the outcome as a heading, for use as a comment on a code
/// change.
std::string formatted(const std::vector<analysis::JudgedGate>& gates, const std::string& report, Format format,
                      const text::Terminal& terminal);

/// Returns JUnit XML: a suite named `suite` with one test case per gate.
std::string junit(const std::vector<analysis::JudgedGate>& gates, const std::string& suite);

}  // namespace ampprof::views

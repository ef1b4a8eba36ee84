// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/compare/first_difference.h"
#include "views/format.h"

namespace ampprof::views {

/// Returns the calls whose outputs differ, from the first on, in program order.
View first_difference_view(const compare::FirstDifference& found);

/// One pair of sides, and what was found between them.
struct ComparedSides {
  std::string a;  ///< "O1 (new.ampprof)"
  std::string b;
  compare::FirstDifference found;
};

/// Returns what `ampprof diff --first` prints: for each pair a sentence about the first call, how the difference grows
/// from there, then the calls. JSON is one object; CSV holds the calls of the first pair.
std::string formatted(const std::vector<ComparedSides>& pairs, Format format, const text::Terminal& terminal);

}  // namespace ampprof::views

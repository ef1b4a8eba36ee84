// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/compare/first_difference.h"
#include "views/format.h"

namespace ampprof::views {

/// Returns the calls whose outputs differ, from the first on, in program order.
View first_difference_view(const compare::FirstDifference& found);

/// Returns what `ampprof diff --first` prints of one pair of runs, which `title` names: a sentence about the first
/// call, how the difference grows from there, then the calls.
std::string formatted(const compare::FirstDifference& found, const std::string& title, Format format,
                      const text::Terminal& terminal);

}  // namespace ampprof::views

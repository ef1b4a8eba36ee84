// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/compare/first_difference.h"
#include "views/table/format.h"
#include "views/table/sentence.h"

namespace ampprof::views {

/// Returns the calls whose outputs differ, in program order.
View first_difference_view(const compare::FirstDifference& found);

/// Returns sentences: which call differs first, by how much, and how many calls differ; or that no call differs.
std::vector<Sentence> sentences_of(const compare::FirstDifference& found);

/// Returns the relative distance of each call that differs, in program order; 0 for an unknown distance.
std::vector<double> growth_of(const compare::FirstDifference& found);

/// The names of two sides, and their first difference.
struct ComparedSides {
  std::string a;  ///< "O1 (new.ampprof)"
  std::string b;
  compare::FirstDifference found;
};

/// Returns the output of `ampprof diff --first`. For each pair of sides: sentences on the first call that differs, the
/// growth of the difference from this call on, and the calls that differ. JSON is one object; CSV holds only the calls
/// of the first pair.
std::string formatted(const std::vector<ComparedSides>& pairs, Format format, const text::Terminal& terminal);

}  // namespace ampprof::views

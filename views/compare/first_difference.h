// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/compare/first_difference.h"
#include "views/table/format.h"
#include "views/table/sentence.h"

namespace ampprof::views {

/// Returns the calls whose outputs differ, from the first on, in program order.
View first_difference_view(const compare::FirstDifference& found);

/// Says which call is the first that differs, by how much, and how many do; or that none does.
std::vector<Sentence> sentences_of(const compare::FirstDifference& found);

/// Returns the relative distances of the calls that differ, from the first on, in program order; 0 where none is known.
std::vector<double> growth_of(const compare::FirstDifference& found);

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

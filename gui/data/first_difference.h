// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/compare/paired_calls.h"
#include "views/table/sentence.h"

namespace ampprof::gui {

/// The first call that differs between two runs, as in `ampprof diff --first`.
struct FirstDifference {
  std::vector<views::Sentence> sentences;
  std::string call_site;       ///< call site of the first call that differs; "" if no call differs
  std::vector<double> growth;  ///< relative distance of each differing call, beginning with the call at `call_site`
};

/// Returns the first difference; empty if no call has a sketch in both runs.
std::optional<FirstDifference> firstDifference(const std::vector<compare::Sketches>& a,
                                               const std::vector<compare::Sketches>& b);

}  // namespace ampprof::gui

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
  std::vector<double> growth;  ///< relative distances of differing calls, from the first one on; 0 if unknown
};

/// Returns the first call that differs by more than the noise between repeats. `a` and `b`: sketches of the repeats of
/// each side. Empty if no call has a sketch on both sides.
std::optional<FirstDifference> firstDifference(const std::vector<compare::Sketches>& a,
                                               const std::vector<compare::Sketches>& b);

}  // namespace ampprof::gui

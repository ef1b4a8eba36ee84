// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/compare/paired_calls.h"
#include "views/table/sentence.h"

namespace ampprof::gui {

/// Says where two sides first differ, as `ampprof diff --first` does.
struct FirstDifference {
  std::vector<views::Sentence> sentences;
  std::string call_site;       ///< the first that differs; "" where none does
  std::vector<double> growth;  ///< relative distance of each call that differs, from there on
};

/// Returns where two sides first differ; nothing where no call left a sketch on both.
std::optional<FirstDifference> firstDifference(const std::vector<compare::Sketches>& a,
                                               const std::vector<compare::Sketches>& b);

}  // namespace ampprof::gui

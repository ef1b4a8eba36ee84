// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/diagnosis/finding.h"
#include "reports/queries/losses.h"
#include "reports/records/exponents.h"

namespace ampprof::gui {

/// A finding, and what a card shows beside its sentences.
struct DiagnosedFinding {
  analysis::Finding finding;
  std::string title;                        ///< what such a finding says in general
  std::optional<ExponentHistogram> values;  ///< of what the culprit computes, exactly; empty where the report has none
  std::vector<queries::StepValue> losses = {};  ///< of the run, ascending by step
};

}  // namespace ampprof::gui

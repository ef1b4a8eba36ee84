// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/diagnosis/finding.h"
#include "reports/queries/losses.h"
#include "reports/records/exponents.h"

namespace ampprof::gui {

/// A finding, with the data that its card shows in addition to sentences.
struct DiagnosedFinding {
  analysis::Finding finding;
  std::string title;  ///< heading for this kind of finding
  /// Histogram of the exact results of the culprit op; empty if the report has none.
  std::optional<ExponentHistogram> values;
  std::vector<queries::StepValue> losses = {};  ///< losses of the run, ascending by step
  std::string runs = {};                        ///< labels of the finding's runs: "O1 and O2"; "" for a single run
};

}  // namespace ampprof::gui

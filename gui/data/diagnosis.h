// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "analysis/diagnosis/finding.h"
#include "reports/records/exponents.h"

namespace ampprof::gui {

/// A finding, and what a card shows beside its sentences.
struct DiagnosedFinding {
  analysis::Finding finding;
  std::string title;                        ///< what such a finding says in general
  std::optional<ExponentHistogram> values;  ///< of what the culprit computes, exactly; empty where the report has none
};

}  // namespace ampprof::gui

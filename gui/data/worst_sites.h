// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/queries/step_errors.h"

namespace ampprof::gui {

/// Holds the local error of one call site over the steps.
struct SiteErrors {
  std::string call_site;                   ///< as in OpRow
  std::vector<queries::StepError> errors;  ///< ascend by step
};

/// Holds the call sites of a run that matter most with their errors over the steps. Those whose outputs have a NaN or
/// inf that was not expected come first, in the order of the program, and are at most half; then the worst.
struct WorstSites {
  std::string run;                ///< its label; "" for a report without runs
  bool judges_recipe = false;     ///< whose values have no ulp: errors compare as relative ones
  std::vector<SiteErrors> sites;  ///< empty where no local error was measured
};

class ReportFile;

/// Reads the errors over the steps of the `most` call sites that matter most, in the run that the summary is about.
WorstSites worstSites(const ReportFile& file, std::size_t most);

}  // namespace ampprof::gui

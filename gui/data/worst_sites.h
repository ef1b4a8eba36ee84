// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/queries/step_errors.h"

namespace ampprof::gui {

/// Local errors of one call site over the steps.
struct SiteErrors {
  std::string call_site;                   ///< as in OpRow
  std::vector<queries::StepError> errors;  ///< ascending by step
};

/// The most important call sites of a run, with their errors over the steps. Call sites whose outputs have an
/// unexpected NaN or inf come first, in program order, and fill at most half of the list; the others follow, the
/// largest error first.
struct WorstSites {
  std::string run;                ///< label of the run; "" if the report has no runs
  bool judges_recipe = false;     ///< values of a recipe have no ulp, so errors are compared as relative errors
  std::vector<SiteErrors> sites;  ///< empty if no local error was measured
};

class ReportFile;

/// Reads the `most` most important call sites of the run that the summary describes.
WorstSites worstSites(const ReportFile& file, std::size_t most);

}  // namespace ampprof::gui

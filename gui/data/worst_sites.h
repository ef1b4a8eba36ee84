// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/queries/step_errors.h"

namespace ampprof::gui {

/// Local errors of one call site over the steps.
struct SiteErrors {
  std::string call_site;                   ///< OpRow::call_site
  std::vector<queries::StepError> errors;  ///< ascending by step
};

/// The most important call sites of a run, with their errors over the steps. At the front, filling at most half of the
/// list, are call sites whose outputs have an unexpected NaN or inf, in program order. Call sites with finite errors
/// follow, sorted by analysis::matters_more(); then, if there is space, the remaining call sites with NaN or inf.
struct WorstSites {
  std::string run;                ///< label of the run; "" if the report has no runs
  bool judges_recipe = false;     ///< the run predicts a recipe, whose values have no ulp: compare relative errors
  std::vector<SiteErrors> sites;  ///< empty if there is neither a local error nor an unexpected NaN or inf
};

class ReportFile;

/// Reads the `most` most important call sites of the run that the summary describes.
WorstSites worstSites(const ReportFile& file, std::size_t most);

}  // namespace ampprof::gui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "views/table/sentence.h"
#include "views/table/view.h"

namespace ampprof::analysis {
struct Finding;
}

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::views {

/// Largest number of findings in the summary; `show findings` has all.
inline constexpr std::size_t kFindingsSaid = 5;

/// Describes the cost and the confidence of a finding, for the reference, the table and the window.
inline constexpr const char* kAboutCost =
    "Share of the run that the fault spoils: skipped steps, lost updates, the relative change of the loss, or the "
    "relative error of gradients. It orders findings, and does not predict the final loss.";
inline constexpr const char* kAboutConfidence = "How sure the finding is: certain, likely or possible.";

/// Names the runs of a finding among the runs of a report: "O1 and O2", or the first ones of many. Returns "" for a
/// report with fewer than two runs, where this goes without saying.
std::string runs_of(const analysis::Finding& finding, const std::vector<queries::RunRow>& runs);

/// Returns findings and remedies, two sentences each, the costliest first; at most kFindingsSaid findings. Names the
/// runs of each finding if `runs`, those of the report, are several.
std::vector<Sentence> sentences_of(const std::vector<analysis::Finding>& findings,
                                   const std::vector<queries::RunRow>& runs);
/// Returns the same without names of runs.
std::vector<Sentence> sentences_of(const std::vector<analysis::Finding>& findings);

View findings_view(const std::vector<analysis::Finding>& findings);

Json to_json(const analysis::Finding& finding);

}  // namespace ampprof::views

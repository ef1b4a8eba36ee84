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

/// Descriptions of the cost and the confidence of a finding, for the reference, the table and the window.
inline constexpr const char* kAboutCost =
    "Share of the run that the fault spoils: skipped steps, lost updates, the relative change of the loss, or the "
    "relative error of gradients. It orders findings, and does not predict the final loss.";
inline constexpr const char* kAboutConfidence = "How sure the finding is: certain, likely or possible.";

/// Names the runs of a finding: "O1 and O2", or the first few of many. `runs` are all runs of the report; with fewer
/// than two, returns "".
std::string runs_of(const analysis::Finding& finding, const std::vector<queries::RunRow>& runs);

/// Returns up to two sentences per finding: the fault, then remedies. Keeps the order of `findings`. Skips findings
/// that an earlier finding explains; after kFindingsSaid findings, only counts the rest. `runs` are all runs of the
/// report: if the report has several, the sentences name the runs of each finding.
std::vector<Sentence> sentences_of(const std::vector<analysis::Finding>& findings,
                                   const std::vector<queries::RunRow>& runs);
/// Returns the sentences on findings without names of runs.
std::vector<Sentence> sentences_of(const std::vector<analysis::Finding>& findings);

View findings_view(const std::vector<analysis::Finding>& findings);

Json to_json(const analysis::Finding& finding);

}  // namespace ampprof::views

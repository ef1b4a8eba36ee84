// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analysis/search/candidates.h"
#include "precision/advice/advise.h"
#include "reports/queries/report.h"

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::analysis {

/// Returns whether the program itself chose a reduced type: torch.autocast or half tensors.
bool has_own_reduced_type(const queries::RunRow& run);

/// Returns the run that advice is about by default: the first at O1, where registered functions and policies apply;
/// else the first with its own autocast; else the first run with --what-if; else the first with a half model. Runs with
/// compiled regions come after all others, since the functions in a compiled region cannot be told apart. Empty if no
/// run qualifies.
std::optional<queries::RunRow> run_to_advise(const std::vector<queries::RunRow>& runs);

/// Reads all rows of a report that advice on a run needs.
advice::Evidence evidence_of(const queries::Report& report, const queries::RunRow& run,
                             const std::vector<queries::RunRow>& runs);

/// Returns the advice on a run. Reads its evidence with evidence_of().
advice::Advice advice_on(const queries::Report& report, const queries::RunRow& run,
                         const std::vector<queries::RunRow>& runs, const advice::Options& options = {});

/// Returns the functions of evidence_of() that a search can keep in high precision. Functions that a run has confirmed
/// as remedies come first.
search::Candidates candidates_from(const queries::Report& report, const queries::RunRow& run,
                                   const std::vector<queries::RunRow>& runs);

}  // namespace ampprof::analysis

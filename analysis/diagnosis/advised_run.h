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

/// Returns whether a run computes in a reduced type that the program itself brought: torch.autocast, or half tensors.
bool has_own_reduced_type(const queries::RunRow& run);

/// Returns the run that advice is about by default: the first at O1, which registrations count for, else the first whose
/// own autocast casts, else the first judged by --what-if, else the first of a half model. One that has compiled
/// regions comes after all without, since their functions are not told apart. Empty where there is none.
std::optional<queries::RunRow> run_to_advise(const std::vector<queries::RunRow>& runs);

/// Reads all rows of a report that advice on a run needs.
advice::Evidence evidence_of(const queries::Report& report, const queries::RunRow& run,
                             const std::vector<queries::RunRow>& runs);

/// Returns the advice on a run, drawn from its evidence_of().
advice::Advice advice_on(const queries::Report& report, const queries::RunRow& run,
                         const std::vector<queries::RunRow>& runs, const advice::Options& options = {});

/// Returns the functions that a search of a run can keep, drawn from its evidence_of(). Those that a run has confirmed
/// as remedies come first.
search::Candidates candidates_from(const queries::Report& report, const queries::RunRow& run,
                                   const std::vector<queries::RunRow>& runs);

}  // namespace ampprof::analysis

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "views/table/format.h"

namespace ampprof::advice {
struct Advice;
}

namespace ampprof::analysis {
struct Finding;
}

namespace ampprof::queries {
struct RunName;
struct RunRow;
}  // namespace ampprof::queries

namespace ampprof::views {

/// Returns what to do if analysis::run_to_advise() finds no run in the report, as a clause without a full stop.
const char* no_run_to_advise(const std::vector<queries::RunRow>& runs);

/// Returns the functions to register, one per row.
View advice_view(const advice::Advice& advice);

/// Returns the JSON object: policy, predicted_loss_impact_before, predicted_loss_impact_after, predicted_cost_us,
/// certainty; and run, level, basis, tolerance, ranking and notes.
Json to_json(const advice::Advice& advice, const queries::RunName& run);

/// Returns the output of `ampprof advise`: findings, a sentence, the functions, and what they cannot fix. JSON has
/// findings as a member; CSV has none.
std::string formatted(const advice::Advice& advice, const std::vector<analysis::Finding>& findings,
                      const queries::RunName& run, Format format, const text::Terminal& terminal);

/// Returns the output of `ampprof advise` for a report without a run to advise on: the findings, and the reason `why`.
std::string formatted(const std::vector<analysis::Finding>& findings, const std::string& why, Format format,
                      const text::Terminal& terminal);

}  // namespace ampprof::views

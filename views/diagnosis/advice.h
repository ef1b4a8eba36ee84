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

/// Explains, in a sentence without a full stop, why analysis::run_to_advise() finds no run, and what to record instead.
const char* no_run_to_advise(const std::vector<queries::RunRow>& runs);

/// Returns the functions to register for FP32, one per row.
View advice_view(const advice::Advice& advice);

/// Returns the JSON object: policy, predicted_loss_impact_before, predicted_loss_impact_after, predicted_cost_us,
/// certainty; and run, level, basis, tolerance, ranking and notes.
Json to_json(const advice::Advice& advice, const queries::RunName& run);

/// Returns the output of `ampprof advise`: the findings, a heading, the functions to register, and what a policy cannot
/// fix. JSON has the findings as a member; CSV omits them.
std::string formatted(const advice::Advice& advice, const std::vector<analysis::Finding>& findings,
                      const queries::RunName& run, Format format, const text::Terminal& terminal);

/// Returns the output of `ampprof advise` for a report without a run to advise on: the findings, and the reason `why`.
std::string formatted(const std::vector<analysis::Finding>& findings, const std::string& why, Format format,
                      const text::Terminal& terminal);

}  // namespace ampprof::views

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

/// Says what to do where analysis::run_to_advise() has no run; without a full stop.
const char* no_run_to_advise(const std::vector<queries::RunRow>& runs);

/// Returns the functions to register, one a row.
View advice_view(const advice::Advice& advice);

/// Returns the object of the contract: policy, predicted_loss_impact_before, predicted_loss_impact_after,
/// predicted_cost_us, certainty; and run, level, basis, tolerance, ranking and notes.
Json to_json(const advice::Advice& advice, const queries::RunName& run);

/// Returns what `ampprof advise` prints: findings, a sentence, the functions, then what they cannot help. JSON has
/// findings as a member, CSV has none.
std::string formatted(const advice::Advice& advice, const std::vector<analysis::Finding>& findings,
                      const queries::RunName& run, Format format, const text::Terminal& terminal);

/// Returns the same of a report without a run that functions can be registered for; `why` says why there is none.
std::string formatted(const std::vector<analysis::Finding>& findings, const std::string& why, Format format,
                      const text::Terminal& terminal);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/advise.h"
#include "views/format.h"

namespace ampprof::views {

/// Says what to do where analysis::run_to_advise() has no run; without a full stop.
inline constexpr const char* kNoRunToAdvise =
    "No run of the report computes in a reduced type. Record one: ampprof run --levels O0,O1 ..., or judge an FP32 "
    "program with --what-if fp16";

/// Returns the functions to register, one a row.
View advice_view(const advice::Advice& advice);

/// Returns the object of the contract: policy, predicted_loss_impact_before, predicted_loss_impact_after, predicted_cost_us;
/// and run, level, basis, tolerance, ranking and notes.
Json to_json(const advice::Advice& advice, const queries::RunRow& run);

/// Returns what `ampprof advise` prints: a sentence, the functions, then what they cannot help.
std::string formatted(const advice::Advice& advice, const queries::RunRow& run, Format format,
                      const text::Terminal& terminal);

}  // namespace ampprof::views

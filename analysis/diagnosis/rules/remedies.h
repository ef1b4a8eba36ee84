// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diagnosis/finding.h"

namespace ampprof::queries {
struct EventRow;
struct OpRow;
}  // namespace ampprof::queries

namespace ampprof::analysis {

struct Symptoms;

/// Returns the call site where an event began. `op` is null if its row is unknown.
Culprit culprit_of_origin(const queries::EventRow& event, const queries::OpRow* op);

/// Returns the remedies that compute a call in FP32: a policy line if policies reach the call, else a change at its
/// source line. `op` is null if its row is unknown.
std::vector<Remedy> compute_in_fp32(std::string_view call_site, const queries::OpRow* op, const Symptoms& symptoms);

/// Returns Python code that leaves a module out of autocast; "" if `module` is "".
std::string module_in_fp32(std::string_view module);

/// Returns the argument of `ampprof run --remedy` that computes a module in FP32; "" if `module` is "".
std::string word_for_fp32(std::string_view module);

/// Returns a change that keeps the event's first op from making NaN or inf on any input, as a sentence without its full
/// stop. Empty if the event's cause is not specific enough.
std::optional<std::string> guard_for(const queries::EventRow& event);

/// Returns the remedy that starts a scaler at this loss scale.
Remedy begin_with_scale(double scale);

/// Lists the first three names and counts the others. Counts each name once; "" becomes "a tensor".
std::string some_of(const std::vector<std::string>& names);

}  // namespace ampprof::analysis

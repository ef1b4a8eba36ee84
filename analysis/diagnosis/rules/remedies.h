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

/// Remedies that several rules share.

/// Returns the place where an event began. `op` is null if its row is unknown.
Culprit culprit_of_origin(const queries::EventRow& event, const queries::OpRow* op);

/// Returns how to compute a call in FP32: by a policy if policies reach it, else by a change at its line. `op` is null
/// if its row is unknown.
std::vector<Remedy> compute_in_fp32(std::string_view call_site, const queries::OpRow* op, const Symptoms& symptoms);

/// Returns Python that leaves a module out of autocast; "" outside of modules.
std::string module_in_fp32(std::string_view module);

/// Returns the word of `ampprof run --remedy` that computes a module in FP32; "" outside of modules.
std::string word_for_fp32(std::string_view module);

/// Returns how to keep an op from making NaN or inf on any input, as a sentence without its full stop. Empty if the
/// cause is not specific enough.
std::optional<std::string> guard_for(const queries::EventRow& event);

/// Returns the remedy that starts a scaler at this loss scale.
Remedy begin_with_scale(double scale);

/// Returns the first three names and the number of further ones. Counts each name once; "" becomes "a tensor".
std::string some_of(const std::vector<std::string>& names);

}  // namespace ampprof::analysis

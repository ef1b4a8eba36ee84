// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof::queries {
struct EventRow;
}

/// Describes a non-finite event in words that are safe to print.
namespace ampprof::views {

/// Returns why the first call made NaN or inf: "exceeds 65504 (98304)", "division by 0", "unknown".
std::string cause_text(const queries::EventRow& event);

/// Returns whether FP32 holds the result: "yes" or "no". Appends "on exact inputs" if only the shadow's inputs tell.
std::string fp32_text(const queries::EventRow& event);

/// Returns the outcome of the values: "in the gradient of fc.weight", "masked by softmax", "no effect seen".
std::string outcome_text(const queries::EventRow& event);

/// Returns where it began: call site and line, or "unknown".
std::string origin_text(const queries::EventRow& event);

}  // namespace ampprof::views

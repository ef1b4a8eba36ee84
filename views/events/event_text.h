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

/// Returns whether FP32 holds the result: "yes" or "no". If it is different on the shadow's exact inputs, appends that:
/// "no; on exact inputs yes".
std::string fp32_text(const queries::EventRow& event);

/// Returns the outcome of the event's NaN or inf: "in the gradient of fc.weight", "masked by softmax", "no effect
/// seen".
std::string outcome_text(const queries::EventRow& event);

/// Returns the origin of the event: call site and source line, or "unknown".
std::string origin_text(const queries::EventRow& event);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof::queries {
struct EventRow;
}

/// Describes a non-finite event in words that are safe to print.
namespace ampprof::views {

/// Returns why the call that began the event made NaN or inf: "exceeds 65504 (98304)", "division by 0", "unknown".
std::string cause_text(const queries::EventRow& event);

/// Returns whether FP32 can hold the result of the call that began the event: "yes" or "no". If the answer differs for
/// the exact inputs of --inherited, appends that answer: "no; yes on exact inputs".
std::string fp32_text(const queries::EventRow& event);

/// Returns where the NaN or inf of the event ended up: "in the gradient of fc.weight", "masked by softmax", "no effect
/// seen".
std::string outcome_text(const queries::EventRow& event);

/// Returns the origin of the event: call site and source line, or "unknown".
std::string origin_text(const queries::EventRow& event);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// Returns the probability that each of the chosen candidates, by their places, does more to the loss than each of the
/// others. Those that must be chosen whatever their impact, and those that cannot be, are no part of the question.
/// Empty where there is none on either side, or the steps of one are not known.
std::optional<double> certainty_of(const std::vector<FunctionInModule>& candidates,
                                   const std::vector<std::size_t>& chosen);

}  // namespace ampprof::advice

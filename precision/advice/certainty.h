// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// Returns the probability that each of the chosen candidates (given by their places) does more to the loss than each
/// of the others. Ignores mandatory candidates and those that cannot be registered. Empty if either side is empty or if
/// one candidate's steps are unknown.
std::optional<double> certainty_of(const std::vector<FunctionInModule>& candidates,
                                   const std::vector<std::size_t>& chosen);

}  // namespace ampprof::advice

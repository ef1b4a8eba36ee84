// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// Returns the probability that each chosen candidate changes the loss more than each candidate that was not chosen.
/// `chosen` are indices into `candidates`. Ignores candidates that are mandatory, that cannot be registered, or that
/// have no impact. Empty if no chosen or no other candidate is left, or if the impacts per step of one candidate are
/// unknown.
std::optional<double> certainty_of(const std::vector<FunctionInModule>& candidates,
                                   const std::vector<std::size_t>& chosen);

}  // namespace ampprof::advice

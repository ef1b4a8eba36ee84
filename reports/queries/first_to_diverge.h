// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/queries/queries.h"

namespace ampprof {

/// The op of `run` that comes first in the step (forward, backward, optimizer; then inference) among those whose
/// inherited error, as relative L2, is at least `threshold`; NaN counts as such. Empty where there is none.
std::optional<OpRow> first_to_diverge(const std::vector<OpRow>& ops, std::int64_t run, double threshold);

}  // namespace ampprof

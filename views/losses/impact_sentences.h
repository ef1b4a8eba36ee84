// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "views/table/sentence.h"

namespace ampprof::queries {
struct ImpactRow;
}

namespace ampprof::views {

/// Describes how rows of loss impacts are sorted; "" if no E is known. `has_sums`: rows of sums come before `rows`.
std::string impact_order(std::span<const queries::ImpactRow* const> rows, bool has_sums);

/// Returns sentences on how reliable the order by E is.
std::vector<Sentence> impact_reliability(std::span<const queries::ImpactRow* const> rows);

}  // namespace ampprof::views

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

/// Describes the order of the rows of loss impacts, of one or several runs and losses; "" if no E is known. `has_sums`:
/// rows of sums come before them.
std::string impact_order(std::span<const queries::ImpactRow* const> rows, bool has_sums);

/// Returns sentences on how reliable this order is.
std::vector<Sentence> impact_reliability(std::span<const queries::ImpactRow* const> rows);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "amp_core/casts/cast_table.h"

namespace amp {

/// Returns the rules added to the program's own autocast, for a call of the op with this slot; null if none applies.
const CastTable* autocast_rules_for(std::size_t slot);

/// Records that a rule added to the program's autocast has decided a call.
void autocast_rule_decided();

}  // namespace amp

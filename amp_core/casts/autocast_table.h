// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "amp_core/casts/cast_table.h"

namespace amp {

/// The rules that were added to the program's own autocast, for a call of the op that has this slot; null where none
/// counts.
const CastTable* autocast_rules_for(std::size_t slot);

/// Says that one of them has decided a call.
void autocast_rule_decided();

}  // namespace amp

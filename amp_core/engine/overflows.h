// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Engine;
class OverflowFlag;

/// Counts an overflow that delayed passes of this loss saw, if any: its scale falls. Their optimizers are already
/// marked to skip.
void count_delayed_overflow(Engine& engine, int loss_id);

/// Reports that the scale of this loss differs between the ranks that agreed on the flag, once until the scales are
/// equal again. The mean of such gradients is meaningless.
void tell_differing_scales(Engine& engine, int loss_id, const OverflowFlag& flag);

}  // namespace amp

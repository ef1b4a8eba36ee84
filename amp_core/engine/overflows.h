// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Engine;
class OverflowFlag;

/// Counts a pending overflow of passes with delay_overflow_check, if there is one: the scale of their loss falls. The
/// optimizers of these passes are already marked to skip.
void count_delayed_overflow(Engine& engine, int loss_id);

/// Reports that the scale of this loss differs between the ranks that agreed on the flag, once until the scales are
/// equal again. The mean of gradients with different scales is meaningless.
void tell_differing_scales(Engine& engine, int loss_id, const OverflowFlag& flag);

}  // namespace amp

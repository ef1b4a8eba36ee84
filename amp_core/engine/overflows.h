// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Engine;
class OverflowFlag;

/// Counts the overflow that delayed passes of this loss saw, if they saw one: its scale falls. Their optimizers have
/// been marked to skip already.
void count_delayed_overflow(Engine& engine, int loss_id);

/// Says, once until they are the same again, that the scale of this loss differs between the ranks that agreed on the
/// flag: the mean of their gradients means nothing then.
void tell_differing_scales(Engine& engine, int loss_id, const OverflowFlag& flag);

}  // namespace amp

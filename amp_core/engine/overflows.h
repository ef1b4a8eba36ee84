// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Engine;
class OverflowFlag;

/// If a pass of this loss with delay_overflow_check has overflowed and the overflow is not counted yet, counts it: the
/// scale of the loss falls. The optimizers of that pass are already marked to skip.
void count_delayed_overflow(Engine& engine, int loss_id);

/// If the scale of this loss differs between the ranks that agreed on the flag, reports it, once until the scales are
/// equal again. The mean of gradients with different scales is meaningless.
void report_differing_scales(Engine& engine, int loss_id, const OverflowFlag& flag);

}  // namespace amp

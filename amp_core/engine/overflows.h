// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Engine;

/// Counts the overflow that delayed passes of this loss saw, if they saw one: its scale falls. Their optimizers have
/// been marked to skip already.
void count_delayed_overflow(Engine& engine, int loss_id);

}  // namespace amp

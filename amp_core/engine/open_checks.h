// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "amp_core/engine/gradients.h"
#include "amp_core/engine/optimizer_state.h"

namespace amp {

struct Engine;

/// A pass whose overflow check is queued on its device and not read yet.
///
/// Reading the check at once would wait for the device, which would then run idle. If all optimizers of the pass skip
/// by a flag on the device (SkipsOnDevice), they get the flag and their steps are queued. The host reads its copy of
/// the flag when the next scale is needed, a forward pass later; by then the copy has arrived. With listeners the flag
/// is read at once, but the program still sees the same results at the same points.
struct OpenCheck {
  int loss_id = 0;
  OverflowFlag flag;
  std::vector<OptimizerState*> states;
};

/// Returns whether the check of a pass may stay open: if the flag is on CUDA, and all optimizers can skip on the
/// device.
bool may_stay_open(const OverflowFlag& flag, const std::vector<OptimizerState*>& states);

/// Passes the flag, whose copy to the host is queued, to the optimizers' next steps.
void leave_open(Engine& engine, OpenCheck check);

/// Reads the flags of all open checks and counts the passes: updates scales, prints skipped steps, and after an
/// overflow makes optimizers skip their next step if they have not stepped since the pass. Call it before reading a
/// scaler.
void settle(Engine& engine);

/// Lets checks stay open on the CPU too, for tests.
void leave_checks_open_on_cpu(bool wanted);

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "amp_core/engine/gradients.h"
#include "amp_core/engine/optimizer_state.h"

namespace amp {

struct Engine;

/// A pass whose overflow check is queued on its device and was not read yet.
///
/// To read it at once is to wait for the device, which then runs dry. Where all optimizers of the pass skip by a flag
/// on the device (SkipsOnDevice), the flag goes to them, their steps are queued, and the host reads its copy of the
/// flag when the next scale is needed: a forward pass later, when it has long arrived. Listeners wait for it at once,
/// and change neither what the program gets nor when.
struct OpenCheck {
  int loss_id = 0;
  OverflowFlag flag;
  std::vector<OptimizerState*> states;
};

/// Whether the check of a pass of these optimizers may stay open: on CUDA.
bool may_stay_open(const OverflowFlag& flag, const std::vector<OptimizerState*>& states);

/// Hands the flag, which is being read, to the optimizers' next steps.
void leave_open(Engine& engine, OpenCheck check);

/// Reads what is open and counts it: scales change, what was skipped is said, and optimizers that did not step since
/// are marked to skip. To be called before anyone looks at a scaler.
void settle(Engine& engine);

/// For tests: checks stay open on the CPU too.
void leave_checks_open_on_cpu(bool wanted);

}  // namespace amp

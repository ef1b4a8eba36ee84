// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "amp_core/policy/policy.h"

namespace amp {

/// Applies the rules of a policy wherever the program's own torch.autocast is on, in every thread, from now on and
/// permanently. Functions without a rule are left to autocast. `fp16` means the type of the program's autocast; the
/// policy's list and low type are ignored. Replaces rules added before. Call it before other threads run ops, since an
/// op gets its kernel when a policy first names it. Casts of amp_core in force take precedence. Throws
/// Error for a rule that names an unknown op.
void add_rules_to_autocast(const Policy& policy);
/// Returns the policy that was added last; empty without one.
std::optional<Policy> rules_of_autocast();

/// Returns whether a rule has decided any call so far.
bool autocast_rules_were_used();

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "amp_core/policy/policy.h"

namespace amp {

/// Applies the rules of a policy wherever the program's own torch.autocast is on, on all threads and permanently.
/// Functions without a rule are left to autocast. In a rule, `fp16` means the type of the program's autocast; the
/// policy's list and low type are ignored. Replaces the rules of an earlier call. Call it before other threads run ops:
/// it registers kernels for ops that no policy has named before. If casts of amp_core are in force, those casts take
/// precedence. Throws Error for a rule that names an unknown op.
void add_rules_to_autocast(const Policy& policy);
/// Returns the policy that was added last; empty if there is none.
std::optional<Policy> rules_of_autocast();

/// Returns whether a rule added to the program's autocast has decided any call so far.
bool autocast_rules_were_used();

}  // namespace amp

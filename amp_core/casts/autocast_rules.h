// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "amp_core/policy/policy.h"

namespace amp {

/// Lets the rules of a policy count wherever the program's own torch.autocast is on, in every thread, from now on and
/// for good; what no rule names is left to it. `fp16` means the type that the program's autocast casts to, and the
/// policy's list and low type do not matter. Rules that were added before count no more. Call it before other threads
/// run ops: an op gets its kernel when a policy names it first. Where casts of amp_core are in force, those count.
/// Throws Error for a rule that names an unknown op.
void add_rules_to_autocast(const Policy& policy);
/// Returns the policy that was added last; empty where none was.
std::optional<Policy> rules_of_autocast();

/// Whether a rule has decided any call so far.
bool autocast_rules_were_used();

}  // namespace amp

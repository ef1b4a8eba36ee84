// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "amp_core/policy/policy.h"

namespace amp {

/// Returns what the calling thread has registered and no initialize() has used yet.
std::optional<Policy> registered_policy();

/// From now on registering is refused on this thread, or is open again. Either way nothing is registered.
void close_registration();
void reopen_registration();

/// Adds the rules of the file that AMP_POLICY names, if it names one, and what AMP_TYPE and
/// AMP_RECIPE name: the strongest.
void add_policy_of_environment(Policy& policy);

}  // namespace amp

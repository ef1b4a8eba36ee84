// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "amp_core/policy/policy.h"

namespace amp {

/// Returns the calling thread's pending registrations: those that no initialize() has used yet.
std::optional<Policy> registered_policy();

/// Forbid and allow registration on this thread. Both functions drop pending registrations.
void close_registration();
void reopen_registration();

/// Adds the rules in the file that AMP_POLICY names, and the settings of AMP_TYPE and AMP_RECIPE. They override all
/// other rules and settings.
void add_policy_of_environment(Policy& policy);

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "amp_core/policy/policy.h"

namespace amp {

/// Returns the calling thread's registrations that no initialize() has used yet.
std::optional<Policy> registered_policy();

/// Closes, or opens again, registration on this thread. Both drop earlier registrations.
void close_registration();
void reopen_registration();

/// Adds the rules of the file that AMP_POLICY names, and the settings of AMP_TYPE and AMP_RECIPE. They are the
/// strongest.
void add_policy_of_environment(Policy& policy);

}  // namespace amp

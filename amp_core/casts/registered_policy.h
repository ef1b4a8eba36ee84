// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "amp_core/policy/policy.h"

namespace amp {

/// Returns the calling thread's pending registrations, which no initialize() has used yet; empty if there are none.
std::optional<Policy> registered_policy();

/// close_registration() forbids registration on this thread, reopen_registration() allows it. Both drop pending
/// registrations.
void close_registration();
void reopen_registration();

/// Adds the rules in the file that AMP_POLICY names, and the settings of AMP_TYPE and AMP_RECIPE. These rules and
/// settings override all others.
void add_policy_of_environment(Policy& policy);

}  // namespace amp

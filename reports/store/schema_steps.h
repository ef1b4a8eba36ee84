// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ampprof::store {

/// Returns the SQL of each step: the first makes a report of version 1 in an empty file, each further one takes a
/// report to the next version.
std::vector<std::string> schema_steps();

/// Asks for what the last step brought, so that reports of no version before can answer it.
inline constexpr const char* kQueryOfThisVersion =
    "SELECT policy, output_square, is_shadow_decided, helped FROM trial, loss_impact, loss, confirmation";

}  // namespace ampprof::store

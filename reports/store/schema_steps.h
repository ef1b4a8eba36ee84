// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ampprof::store {

/// Returns the SQL of each step. The first step creates a report of version 1 in an empty file; each further step
/// migrates a report to the next version.
std::vector<std::string> schema_steps();

/// Query that selects an addition of the last step, so that it fails on reports of earlier versions.
inline constexpr const char* kQueryOfThisVersion =
    "SELECT policy, output_square, is_shadow_decided, helped FROM trial, loss_impact, loss, confirmation";

}  // namespace ampprof::store

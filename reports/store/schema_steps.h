// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ampprof::store {

/// Returns the SQL that takes a report to a schema version from the one before it, or an empty file to
/// kFirstSchemaVersion.
std::string step_to(std::int64_t version);

/// Asks for what the last step brought, so that reports of no version before can answer it.
inline constexpr const char* kQueryOfThisVersion =
    "SELECT policy, output_square, shadow_value FROM trial, loss_impact, loss";

}  // namespace ampprof::store

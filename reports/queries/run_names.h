// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ampprof::queries {

/// Whether what a user wrote names a run: its id, or its level in any case ("o1").
bool names_run(const std::string& wanted, std::int64_t id, const std::string& level);

}  // namespace ampprof::queries

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/records.h"

namespace ampprof {

/// Returns the phase that name_of() calls so; empty for any other word.
std::optional<Phase> phase_from(std::string_view word);

/// Returns the names of all phases, in the order of kPhases.
std::vector<std::string> phase_names();

}  // namespace ampprof

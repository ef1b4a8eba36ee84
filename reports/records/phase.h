// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "reports/records/records.h"

namespace ampprof {

/// Returns the phase that name_of() calls so; empty for any other word.
std::optional<Phase> phase_from(std::string_view word);

}  // namespace ampprof

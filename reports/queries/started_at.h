// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "reports/queries/report.h"

namespace ampprof::queries {

/// Returns when `ampprof run` started a run, in seconds since 1970; empty if the report holds no readable time. Times
/// of steps count from the recorder's start, which is a little later.
std::optional<std::int64_t> started_at(const Report& report, std::int64_t run);

}  // namespace ampprof::queries

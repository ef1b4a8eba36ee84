// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/queries/queries.h"

namespace ampprof::cli {

/// How fast the multiprocessors of a run's first GPU ran, in MHz: median, lowest and highest of the readings that the
/// recorder took while it worked.
struct GpuClocks {
  std::int64_t sm_mhz = 0;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  std::string held_back_by;  ///< "power cap", at most readings; "" for nothing
};

/// From the run's settings; empty where nobody read the clocks.
std::optional<GpuClocks> gpu_clocks_of(const RunRow& run);

}  // namespace ampprof::cli

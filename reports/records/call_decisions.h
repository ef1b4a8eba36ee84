// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof {

/// Decisions of one call: integer and boolean results that it computed of floating-point values.
struct CallDecisions {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::int64_t decisions = 0;
  std::int64_t differing = 0;  ///< of these, in the step that is computed beside the run
};

}  // namespace ampprof

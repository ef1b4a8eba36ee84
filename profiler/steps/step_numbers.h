// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "profiler/steps/between_steps.h"

namespace ampprof::profiler {

/// The numbers that several trackers of one run count together.
struct StepNumbers {
  std::int64_t segments = 0;  ///< begun so far
  std::int64_t steps = 0;
  bool trains = false;                              ///< gradients were used, or an optimizer has updated
  std::int64_t held = HeldCalls::kFirstNumber - 1;  ///< the newest number of a held call
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "profiler/steps/between_steps.h"

namespace ampprof::profiler {

/// Counters that the StepTrackers of one run (one per training loop) share.
struct StepNumbers {
  std::int64_t segments = 0;                        ///< id of the newest segment
  std::int64_t steps = 0;                           ///< number of the newest step
  bool trains = false;                              ///< gradients were used, or an optimizer has updated
  std::int64_t held = HeldCalls::kFirstNumber - 1;  ///< number of the newest held call
};

}  // namespace ampprof::profiler

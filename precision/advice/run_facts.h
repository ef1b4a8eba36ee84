// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace ampprof::advice {

/// Holds what advice needs to know of a run as a whole.
struct RunFacts {
  std::int64_t steps = 0;
  std::int64_t recorded_steps = 0;
  std::optional<double> first_loss_mean = {};  ///< over the first steps whose loss is finite
  std::optional<double> last_loss_mean = {};   ///< the same over the last steps
  std::optional<double> loss_scale_final = {};
  bool has_compiled_regions = false;
  bool asks_for_impact = false;  ///< it was recorded with --impact
};

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace ampprof::advice {

/// Facts about the run as a whole that the advice needs.
struct RunFacts {
  std::int64_t steps = 0;
  std::int64_t recorded_steps = 0;
  std::optional<double> first_loss_mean = {};  ///< mean over the first steps with a finite loss
  std::optional<double> last_loss_mean = {};   ///< mean over the last steps with a finite loss
  std::optional<double> loss_scale_final = {};
  bool has_compiled_regions = false;
  bool asks_for_impact = false;  ///< recorded with --impact
};

}  // namespace ampprof::advice

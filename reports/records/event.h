// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ampprof {

/// One parameter whose gradient was not finite.
struct EventParameter {
  std::string name;
  std::int64_t nan = 0;
  std::int64_t inf = 0;
  std::optional<double> finite_amax;  ///< largest finite |gradient|, scaled; empty when none is finite
};

/// A loss scaler saw a gradient that is not finite.
struct OverflowEvent {
  std::int64_t segment = 0;
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;
  std::int64_t first_site = 0;  ///< call site that first turned finite inputs into NaN or inf; 0 where unknown
  std::optional<double> largest_safe_scale;
  bool largest_safe_scale_is_bound = true;
  std::vector<EventParameter> parameters;
  std::vector<std::int64_t> chain;  ///< call sites it spread through, in order, the first included
};

}  // namespace ampprof

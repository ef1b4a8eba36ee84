// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "reports/records/exponents.h"
#include "reports/records/statistics.h"

namespace ampprof::error {

/// Statistics of one output, or of a part of it: parts merge to the whole.
struct OutputStatistics {
  std::optional<ErrorStats> local{};  ///< against the reference; empty without one
  RangeStats ranges{};
  ExponentHistogram exponents{};    ///< of the reference; of the output itself where there is none
  std::int64_t minus_infinite = 0;  ///< of ranges.nonfinite, how many are -inf: what masks are made of

  void merge(const OutputStatistics& other) {
    if (other.local) {
      if (!local) local.emplace();
      local->merge(*other.local);
    }
    ranges.merge(other.ranges);
    exponents.merge(other.exponents);
    minus_infinite += other.minus_infinite;
  }

  bool operator==(const OutputStatistics&) const = default;
};

}  // namespace ampprof::error

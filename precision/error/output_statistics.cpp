// SPDX-License-Identifier: Apache-2.0
#include "precision/error/output_statistics.h"

namespace ampprof {

void OutputStatistics::merge(const OutputStatistics& other) {
  if (other.local) {
    if (!local) local.emplace();
    local->merge(*other.local);
  }
  ranges.merge(other.ranges);
  exponents.merge(other.exponents);
  minus_infinite += other.minus_infinite;
}

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace ampprof {

/// Adds a count to a total, saturating at the largest value: the counts of a damaged report may be any number.
constexpr void saturating_add(std::int64_t& total, std::int64_t count) {
  if (!__builtin_add_overflow(total, count, &total)) return;
  total = count > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

}  // namespace ampprof

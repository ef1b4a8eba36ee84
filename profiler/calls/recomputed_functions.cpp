// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/recomputed_functions.h"

namespace ampprof::profiler {

std::optional<RecomputedFunctions::Repeated> RecomputedFunctions::repeat(std::uint64_t function, std::int32_t op) {
  const auto found = functions_.find(function);
  if (found == functions_.end()) return std::nullopt;
  auto& [calls, next] = found->second;
  Repeated repeated{.site = std::nullopt, .is_first = next == 0};
  while (next < calls.size() && calls[next].first != op) ++next;
  if (next < calls.size()) repeated.site = calls[next++].second;
  return repeated;
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/call_sites.h"

#include <algorithm>

namespace ampprof::profiler {

CallSites::Counter& CallSites::counter_at(const Key& key) {
  const std::uint64_t packed = static_cast<std::uint64_t>(key.module) << 32 | static_cast<std::uint64_t>(key.op) << 3 |
                               static_cast<std::uint64_t>(key.phase);
  Counter*& known = cache_[packed];
  if (known == nullptr) known = &counters_[packed];
  return *known;
}

std::int64_t CallSites::site_of(Counter& counter, const Key& key, std::int32_t ordinal) {
  while (std::ssize(counter.sites) <= ordinal) {
    const auto made = static_cast<std::int32_t>(counter.sites.size());
    counter.sites.push_back(++site_count_);
    new_.push_back({.id = site_count_, .key = key, .ordinal = made});
  }
  return counter.sites[static_cast<std::size_t>(ordinal)];
}

CallSites::Site CallSites::next(const Key& key, std::size_t loop, std::int64_t segment) {
  Counter& counter = counter_at(key);
  if (counter.counts.size() <= loop) counter.counts.resize(loop + 1);
  auto& [counted, calls] = counter.counts[loop];
  if (std::exchange(counted, segment) != segment) calls = 0;
  const std::int32_t ordinal = std::min(calls, kMostSites - 1);
  if (calls++ >= kMostSites) ++calls_without_site_;
  return {.id = site_of(counter, key, ordinal), .key = key, .ordinal = ordinal};
}

std::int64_t CallSites::at(const Key& key, std::int32_t ordinal) { return site_of(counter_at(key), key, ordinal); }

}  // namespace ampprof::profiler

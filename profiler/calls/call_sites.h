// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/calls/lookup_cache.h"
#include "reports/queries/call_site_names.h"

namespace ampprof::profiler {

/// Gives each op call its call site: the phase, module and op that it is of, and which of these it is in its segment,
/// counted from 0 (the ordinal). A loop counts its segments' calls alone. Not thread-safe.
class CallSites {
 public:
  /// The most for one op in one module within a segment. A loop that never ends a step would else make them forever.
  static constexpr std::int32_t kMostSites = 4096;

  struct Key {
    Phase phase = Phase::Forward;
    std::int32_t module = 0;  ///< id of its path
    std::int32_t op = 0;      ///< OpInfo::id

    bool operator==(const Key&) const = default;
  };
  struct Site {
    std::int64_t id = 0;  ///< from 1
    Key key;
    std::int32_t ordinal = 0;

    bool operator==(const Site&) const = default;
  };

  /// Returns the site of the next call at `key` in this segment of this loop. Calls beyond kMostSites are at the
  /// last one.
  Site next(const Key& key, std::size_t loop, std::int64_t segment);
  /// Returns the id of the site of the call with this ordinal.
  std::int64_t at(const Key& key, std::int32_t ordinal);

  bool has_new() const { return !new_.empty(); }
  /// Returns the sites that were made since the last call, in the order of their ids.
  std::vector<Site> take_new() { return std::exchange(new_, {}); }
  /// Returns how many calls were beyond kMostSites since the last call of this.
  std::int64_t take_calls_without_site() { return std::exchange(calls_without_site_, 0); }

 private:
  struct Counter {
    struct InSegment {
      std::int64_t segment = 0;
      std::int32_t calls = 0;
    };
    std::vector<InSegment> counts;    ///< by loop
    std::vector<std::int64_t> sites;  ///< by ordinal
  };

  Counter& counter_at(const Key& key);
  std::int64_t site_of(Counter& counter, const Key& key, std::int32_t ordinal);

  std::unordered_map<std::uint64_t, Counter> counters_;
  LookupCache<Counter*> cache_;
  std::vector<Site> new_;
  std::int64_t site_count_ = 0;
  std::int64_t calls_without_site_ = 0;
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "profiler/calls/lookup_cache.h"

namespace ampprof::profiler {

/// Numbers the signatures of op calls, which are known by the hash of their arguments. Not thread-safe.
class SignatureIds {
 public:
  /// The most that are told apart, so that a program with ever new shapes takes no ever growing memory.
  static constexpr std::int64_t kMost = 65536;

  struct Found {
    std::int64_t id = 0;  ///< from 1; kOtherShapes where there are kMost already
    bool is_new = false;  ///< its text is still to be written

    bool operator==(const Found&) const = default;
  };
  Found id_of(std::uint64_t hash) {
    std::int64_t& known = cache_[hash];
    return known != 0 ? Found{known, false} : look_up(hash, known);
  }

 private:
  Found look_up(std::uint64_t hash, std::int64_t& known);

  std::unordered_map<std::uint64_t, std::int64_t> ids_;
  LookupCache<std::int64_t> cache_;
};

}  // namespace ampprof::profiler

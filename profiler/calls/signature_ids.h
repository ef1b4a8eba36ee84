// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "profiler/calls/lookup_cache.h"

namespace ampprof::profiler {

/// Numbers the signatures of op calls by the hash of their arguments. Not thread-safe.
class SignatureIds {
 public:
  /// Largest number of distinct signatures. It bounds the memory for a program whose shapes keep changing.
  static constexpr std::int64_t kMost = 65536;

  struct Found {
    std::int64_t id = 0;  ///< counts from 1; kOtherShapes after kMost signatures
    bool is_new = false;  ///< the signature has no text in the report yet

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

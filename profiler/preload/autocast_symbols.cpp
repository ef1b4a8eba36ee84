// SPDX-License-Identifier: Apache-2.0
// Interposes the cast function of torch.autocast, and the function that clears its cache. Includes no header of
// LibTorch.

#include <cstdint>

#include "profiler/preload/interposed.h"
#include "profiler/preload/preload.h"

using ampprof::preload::next_symbol;
using ampprof::preload::Word;

#define AMPPROF_CACHED_CAST "_ZN2at8autocast11cached_castEN3c1010ScalarTypeERKNS_6TensorENS1_10DeviceTypeE"

// cached_cast() returns a tensor, so the first word is the address of the result.
AMPPROF_INTERPOSE(ampprof_cached_cast, AMPPROF_CACHED_CAST, Word result, Word to, Word operand, Word device) {
  static const auto next = reinterpret_cast<decltype(&ampprof_cached_cast)>(next_symbol(AMPPROF_CACHED_CAST));
  const auto* table = ampprof::preload::hooks();
  if (table == nullptr) return next(result, to, operand, device);
  const std::int64_t begun_ns = table->cast_begun();
  Word returned = next(result, to, operand, device);
  table->cast_ended(operand, result, begun_ns);
  return returned;
}

#define AMPPROF_CLEAR_CACHE "_ZN2at8autocast11clear_cacheEv"

// clear_cache() returns nothing, so the caller never reads the result here.
AMPPROF_INTERPOSE(ampprof_clear_cache, AMPPROF_CLEAR_CACHE) {
  static const auto next = reinterpret_cast<void (*)()>(next_symbol(AMPPROF_CLEAR_CACHE));
  if (const auto* table = ampprof::preload::hooks()) table->cast_cache_cleared();
  next();
  return nullptr;
}

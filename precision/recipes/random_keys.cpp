// SPDX-License-Identifier: Apache-2.0
#include "precision/recipes/random_keys.h"

#include <ATen/Context.h>

#include <atomic>

namespace amp::recipes {
namespace {

std::atomic<std::uint64_t> next_stream = 0;

}  // namespace

ampprof::quantize::RandomKey next_random_key() {
  return {at::globalContext().defaultGenerator(at::kCPU).current_seed(), next_stream.fetch_add(1)};
}

void restart_random_keys() { next_stream.store(0); }

}  // namespace amp::recipes

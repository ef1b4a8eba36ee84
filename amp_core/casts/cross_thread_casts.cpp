// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cross_thread_casts.h"

#include <ATen/record_function.h>

#include <atomic>
#include <mutex>
#include <unordered_map>

namespace amp {
namespace {

std::atomic<int> lenders = 0;
std::atomic<std::uint64_t> generation = 1;

struct CrossThreadCasts {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, std::shared_ptr<const CastTable>> tables;
};

/// Never destroyed: threads may end after static objects have died.
CrossThreadCasts& lent() {
  static auto* const instance = new CrossThreadCasts();
  return *instance;
}

}  // namespace

void pass_on_casts(std::shared_ptr<const CastTable> table) {
  const std::uint64_t thread = at::RecordFunction::currentThreadId();
  const std::lock_guard lock(lent().mutex);
  if (table) {
    lent().tables.insert_or_assign(thread, std::move(table));
  } else {
    lent().tables.erase(thread);
  }
  lenders = static_cast<int>(lent().tables.size());
}

void lend_casts(std::shared_ptr<const CastTable> table) {
  pass_on_casts(std::move(table));
  ++generation;
}

bool anyone_lends_casts() { return lenders.load(std::memory_order_relaxed) != 0; }

std::uint64_t generation_of_cross_thread_casts() { return generation.load(std::memory_order_acquire); }

std::shared_ptr<const CastTable> casts_lent_by(std::uint64_t thread) {
  const std::lock_guard lock(lent().mutex);
  const auto found = lent().tables.find(thread);
  return found == lent().tables.end() ? nullptr : found->second;
}

}  // namespace amp

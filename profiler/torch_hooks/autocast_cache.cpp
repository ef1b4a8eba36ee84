// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/autocast_cache.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace ampprof::profiler {
namespace {

std::atomic<bool> g_has_cached_copies{false};
thread_local std::vector<CacheHit> t_hits;

}  // namespace

std::optional<std::int64_t> AutocastCache::given(const at::Tensor& operand, const at::Tensor& copy,
                                                 std::int64_t segment) {
  // Autocast caches casts only of leaves that require a gradient.
  if (!operand.requires_grad() || !operand.is_leaf()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (const auto found = known_.find(copy.unsafeGetTensorImpl()); found != known_.end()) return found->second.segment;
  if (known_.size() >= purge_at_) {  // with cache_enabled=False, autocast never calls clear_cache()
    std::erase_if(known_, [](const auto& entry) { return entry.second.copy.expired(); });
    purge_at_ = std::max<std::size_t>(256, 2 * known_.size());
  }
  g_has_cached_copies.store(true, std::memory_order_relaxed);
  known_.emplace(copy.unsafeGetTensorImpl(), Known{.copy = Weak(copy.getIntrusivePtr()), .segment = segment});
  return std::nullopt;
}

void AutocastCache::clear() {
  const std::lock_guard lock(mutex_);
  known_.clear();
  g_has_cached_copies.store(false, std::memory_order_relaxed);
}

bool has_cached_copies() { return g_has_cached_copies.load(std::memory_order_relaxed); }

void keep_cache_hit(CacheHit hit) { t_hits.push_back(std::move(hit)); }

std::vector<CacheHit> take_cache_hits() { return std::exchange(t_hits, {}); }

}  // namespace ampprof::profiler

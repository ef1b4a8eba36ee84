// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/autocast_cache.h"

#include <algorithm>

namespace ampprof::profiler {

std::optional<AutocastCache::Origin> AutocastCache::given(const at::Tensor& operand, const at::Tensor& copy,
                                                          std::int64_t segment) {
  // Autocast keeps copies of no other tensors.
  if (!operand.requires_grad() || !operand.is_leaf()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (const auto found = known_.find(copy.unsafeGetTensorImpl()); found != known_.end()) return found->second.origin;
  if (known_.size() >= purge_at_) {  // with cache_enabled=False it keeps none, and clears nothing
    std::erase_if(known_, [](const auto& entry) { return entry.second.copy.expired(); });
    purge_at_ = std::max<std::size_t>(256, 2 * known_.size());
  }
  known_.emplace(copy.unsafeGetTensorImpl(), Known{.copy = Weak(copy.getIntrusivePtr()),
                                                   .origin = {.segment = segment, .writes = count_of_writes(operand)}});
  return std::nullopt;
}

void AutocastCache::clear() {
  const std::lock_guard lock(mutex_);
  known_.clear();
}

std::int64_t count_of_writes(const at::Tensor& tensor) {
  return tensor.is_inference() ? -1 : static_cast<std::int64_t>(tensor._version());
}

}  // namespace ampprof::profiler

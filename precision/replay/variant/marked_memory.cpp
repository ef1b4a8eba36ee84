// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/variant/marked_memory.h"

#include "precision/tensors/plain_memory.h"

namespace ampprof::variant {
namespace {

constexpr std::size_t kFew = 64;

bool can_be_marked(const at::Tensor& tensor) { return tensor.defined() && tensors::has_plain_memory(tensor); }

}  // namespace

void MarkedMemory::add(const at::Tensor& tensor) {
  if (!can_be_marked(tensor)) return;
  const std::lock_guard lock(mutex_);
  if (marked_.size() >= 2 * kept_ + kFew) {
    std::erase_if(marked_, [](const auto& known) { return known.second.expired(); });
    kept_ = marked_.size();
  }
  any_ = true;
  marked_.try_emplace(tensor.storage().unsafeGetStorageImpl(), tensor.storage().getWeakStorageImpl());
}

bool MarkedMemory::contains(const at::Tensor& tensor) const {
  if (!any_) return false;
  const std::lock_guard lock(mutex_);
  if (is_all_) return true;
  return can_be_marked(tensor) && marked_.contains(tensor.storage().unsafeGetStorageImpl());
}

void MarkedMemory::reset(bool is_all) {
  const std::lock_guard lock(mutex_);
  marked_.clear();
  kept_ = 0;
  is_all_ = is_all;
  any_ = is_all;
}

}  // namespace ampprof::variant

// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/variant/lost_memory.h"

#include "precision/replay/reference/arguments.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::variant {
namespace {

constexpr std::size_t kFew = 64;

bool can_be_lost(const at::Tensor& tensor) {
  return reference::is_floating(tensor) && tensors::has_plain_memory(tensor);
}

}  // namespace

void LostMemory::add(const at::Tensor& tensor) {
  if (!can_be_lost(tensor)) return;
  const std::lock_guard lock(mutex_);
  if (lost_.size() >= 2 * kept_ + kFew) {
    std::erase_if(lost_, [](const auto& known) { return known.second.expired(); });
    kept_ = lost_.size();
  }
  any_ = true;
  lost_.try_emplace(tensor.storage().unsafeGetStorageImpl(), tensor.storage().getWeakStorageImpl());
}

bool LostMemory::contains(const at::Tensor& tensor) const {
  if (!any_) return false;
  const std::lock_guard lock(mutex_);
  if (is_all_) return true;
  return can_be_lost(tensor) && lost_.contains(tensor.storage().unsafeGetStorageImpl());
}

void LostMemory::reset(bool is_all) {
  const std::lock_guard lock(mutex_);
  lost_.clear();
  kept_ = 0;
  is_all_ = is_all;
  any_ = is_all;
}

}  // namespace ampprof::variant

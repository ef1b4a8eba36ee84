// SPDX-License-Identifier: Apache-2.0
#include "precision/shadow/lost_memory.h"

#include "precision/reference/arguments.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::shadow {
namespace {

bool can_be_lost(const at::Tensor& tensor) {
  return reference::is_floating(tensor) && tensors::has_plain_memory(tensor);
}

}  // namespace

void LostMemory::add(const at::Tensor& tensor) {
  if (!can_be_lost(tensor)) return;
  const std::lock_guard lock(mutex_);
  lost_.try_emplace(tensor.storage().unsafeGetStorageImpl(), tensor.storage().getWeakStorageImpl());
}

bool LostMemory::contains(const at::Tensor& tensor) const {
  const std::lock_guard lock(mutex_);
  if (is_all_) return true;
  return !lost_.empty() && can_be_lost(tensor) && lost_.contains(tensor.storage().unsafeGetStorageImpl());
}

void LostMemory::reset(bool is_all) {
  const std::lock_guard lock(mutex_);
  lost_.clear();
  is_all_ = is_all;
}

}  // namespace ampprof::shadow

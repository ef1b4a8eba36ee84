// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/rounded_inputs.h"

#include <ATen/ATen.h>

namespace ampprof::profiler {
namespace {

const c10::StorageImpl* memory_of(const at::Tensor& tensor) {
  return tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

bool fills_its_memory(const at::Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() && tensor.storage_offset() == 0 &&
         tensor.storage().nbytes() == tensor.nbytes();
}

}  // namespace

void RoundedInputs::add(const at::Tensor& rounded, const at::Tensor& original) {
  const c10::StorageImpl* memory = memory_of(rounded);
  if (memory == nullptr || !fills_its_memory(rounded)) return;
  at::Tensor flat = at::empty({rounded.numel()}, original.options());
  flat.as_strided(rounded.sizes(), rounded.strides()).copy_(original);
  const std::lock_guard lock(mutex_);
  entries_.insert_or_assign(memory, Entry{rounded.storage().getWeakStorageImpl(), std::move(flat)});
}

at::Tensor RoundedInputs::original_of(const at::Tensor& tensor) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(memory_of(tensor));
  if (found == entries_.end() || found->second.memory.expired()) return {};
  // A view of another type counts other elements.
  const at::Tensor& flat = found->second.flat;
  if (tensor.storage().nbytes() != static_cast<std::size_t>(flat.numel()) * tensor.itemsize()) return {};
  return flat.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

void RoundedInputs::forget(const at::Tensor& tensor) {
  const std::lock_guard lock(mutex_);
  entries_.erase(memory_of(tensor));
}

bool RoundedInputs::empty() const {
  const std::lock_guard lock(mutex_);
  return entries_.empty();
}

void RoundedInputs::purge() {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const auto& entry) { return entry.second.memory.expired(); });
}

void RoundedInputs::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

}  // namespace ampprof::profiler

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

/// Returns what `tensor` views in memory of its own, in `flat`.
at::Tensor view_of(const at::Tensor& flat, const at::Tensor& tensor) {
  return flat.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

}  // namespace

RoundedInputs::Entry* RoundedInputs::entry_of(const at::Tensor& tensor) {
  const auto found = entries_.find(memory_of(tensor));
  if (found == entries_.end() || found->second.memory.expired()) return nullptr;
  // A view of another type counts other elements.
  const auto elements = static_cast<std::size_t>(found->second.flat.numel());
  return tensor.storage().nbytes() == elements * tensor.itemsize() ? &found->second : nullptr;
}

bool RoundedInputs::Entry::is_of(const Step& step) const {
  if (taken_in) return taken_in == step;
  return made_in.loop != step.loop || step.number <= made_in.number + 1;  // loaders prepare one batch ahead
}

void RoundedInputs::put(const at::Tensor& rounded, const at::Tensor& original, const Step& made_in) {
  const c10::StorageImpl* memory = memory_of(rounded);
  if (memory == nullptr) return;
  if (!fills_its_memory(rounded)) {
    const std::lock_guard lock(mutex_);
    if (Entry* const entry = entry_of(rounded)) view_of(entry->flat, rounded).copy_(original);
    return;
  }
  at::Tensor flat = at::empty({rounded.numel()}, original.options());
  view_of(flat, rounded).copy_(original);
  const std::lock_guard lock(mutex_);
  entries_.insert_or_assign(memory, Entry{rounded.storage().getWeakStorageImpl(), std::move(flat), made_in});
}

void RoundedInputs::forget(const at::Tensor& tensor) {
  const std::lock_guard lock(mutex_);
  entries_.erase(memory_of(tensor));
}

bool RoundedInputs::knows(const at::Tensor& tensor) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(memory_of(tensor));
  return found != entries_.end() && !found->second.memory.expired();
}

at::Tensor RoundedInputs::original_of(const at::Tensor& tensor, const Step& step) {
  const std::lock_guard lock(mutex_);
  Entry* const entry = entry_of(tensor);
  if (entry == nullptr || !entry->is_of(step)) return {};
  entry->taken_in = step;
  return view_of(entry->flat, tensor);
}

bool RoundedInputs::empty() const {
  const std::lock_guard lock(mutex_);
  return entries_.empty();
}

void RoundedInputs::purge(const Step& step) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const auto& one) {
    const Entry& entry = one.second;
    const Step& known = entry.taken_in.value_or(entry.made_in);
    return entry.memory.expired() || (known.loop == step.loop && !entry.is_of(step));
  });
}

void RoundedInputs::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/rounded_inputs.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <set>
#include <utility>

namespace ampprof::profiler {
namespace {

const c10::StorageImpl* memory_of(const at::Tensor& tensor) {
  return tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

bool fills_its_memory(const at::Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() && tensor.storage_offset() == 0 &&
         tensor.storage().nbytes() == tensor.nbytes();
}

/// Returns a view of `flat` with the sizes, strides and offset of `tensor`.
at::Tensor view_of(const at::Tensor& flat, const at::Tensor& tensor) {
  return flat.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

/// Returns a flat copy of the tensor's whole memory.
at::Tensor memory_copied(const at::Tensor& tensor, at::ScalarType type) {
  const auto elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.itemsize());
  return tensor.detach().as_strided({elements}, {1}, 0).to(type, /*non_blocking=*/false, /*copy=*/true);
}

}  // namespace

const Original* without(const Originals& originals, std::int64_t call_site) {
  const auto found = std::ranges::lower_bound(originals, call_site, {}, &Original::made_by);
  return found == originals.end() ? nullptr : &*found;
}

RoundedInputs::Entry* RoundedInputs::entry_of(const at::Tensor& tensor) {
  const auto found = entries_.find(memory_of(tensor));
  if (found == entries_.end() || found->second.memory.expired()) return nullptr;
  // A view of the memory with another element size has another number of elements, so the originals do not apply to it.
  const auto elements = static_cast<std::size_t>(found->second.flat.front().values.numel());
  return tensor.storage().nbytes() == elements * tensor.itemsize() ? &found->second : nullptr;
}

bool RoundedInputs::Entry::is_of(const Step& step) const {
  if (taken_in) return taken_in == step;
  return made_in.loop != step.loop || step.number <= made_in.number + 1;  // data loaders prepare one batch ahead
}

void RoundedInputs::put(const at::Tensor& rounded, const Originals& originals, const Step& made_in) {
  const c10::StorageImpl* memory = memory_of(rounded);
  if (memory == nullptr) return;
  if (!fills_its_memory(rounded)) {
    const std::lock_guard lock(mutex_);
    if (Entry* const entry = entry_of(rounded)) put_part(*entry, rounded, originals);
    return;
  }
  Originals flat;
  for (const Original& original : originals) {
    const at::Tensor values = at::empty({rounded.numel()}, original.values.options());
    view_of(values, rounded).copy_(original.values);
    flat.push_back({original.made_by, values, original.is_decided});
  }
  const std::lock_guard lock(mutex_);
  entries_.insert_or_assign(memory, Entry{rounded.storage().getWeakStorageImpl(), std::move(flat), made_in});
}

/// Writes originals into the part of the memory that `rounded` covers. The rest of the memory keeps its originals.
void RoundedInputs::put_part(Entry& entry, const at::Tensor& rounded, const Originals& originals) {
  const at::ScalarType type = entry.flat.front().values.scalar_type();
  std::set<std::int64_t> call_sites;
  for (const Original& original : entry.flat) call_sites.insert(original.made_by);
  for (const Original& original : originals) call_sites.insert(original.made_by);
  Originals flat;
  for (const std::int64_t call_site : call_sites) {
    const Original* const of_rest = without(entry.flat, call_site);
    const Original* const of_part = without(originals, call_site);
    const at::Tensor values = of_rest == nullptr ? memory_copied(rounded, type) : of_rest->values.clone();
    view_of(values, rounded).copy_(of_part == nullptr ? rounded.detach() : of_part->values);
    const bool is_decided = (of_rest != nullptr && of_rest->is_decided) || (of_part != nullptr && of_part->is_decided);
    flat.push_back({call_site, values, is_decided});
  }
  entry.flat = std::move(flat);
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

Originals RoundedInputs::originals_of(const at::Tensor& tensor, const Step& step) {
  const std::lock_guard lock(mutex_);
  Entry* const entry = entry_of(tensor);
  if (entry == nullptr || !entry->is_of(step)) return {};
  entry->taken_in = step;
  Originals originals = entry->flat;
  for (Original& original : originals) original.values = view_of(original.values, tensor);
  return originals;
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

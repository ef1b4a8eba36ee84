// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/variant/variant_memory.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "precision/replay/reference/arguments.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::variant {
namespace {

const c10::StorageImpl* storage_of(const at::Tensor& tensor) { return tensor.storage().unsafeGetStorageImpl(); }

/// Tells whether a counterpart is possible: storage and offsets identify the tensor, and it has values.
bool can_have_counterpart(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.is_complex() && tensors::has_plain_memory(tensor) && !tensor.is_neg();
}

std::int64_t elements_in_memory(const at::Tensor& tensor) {
  return static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.itemsize());
}

bool fills_its_memory(const at::Tensor& tensor) {
  return tensor.numel() == elements_in_memory(tensor) && tensor.is_non_overlapping_and_dense();
}

at::Tensor whole_memory(const at::Tensor& tensor) { return tensor.as_strided({elements_in_memory(tensor)}, {1}, 0); }

at::Tensor place_of(const at::Tensor& tensor, const at::Tensor& flat) {
  return flat.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

/// Tells whether `values` is the only owner of its memory, with the layout of `tensor`.
bool can_be_taken_over(const at::Tensor& values, const at::Tensor& tensor) {
  return values.storage().use_count() == 1 && values.strides() == tensor.strides() &&
         values.storage_offset() == tensor.storage_offset() && elements_in_memory(values) == elements_in_memory(tensor);
}

}  // namespace

at::ScalarType VariantMemory::type_for(const at::Tensor& tensor) const {
  return reference::is_below(tensor.scalar_type(), precision_) ? precision_ : tensor.scalar_type();
}

// resize_() keeps the old content of the memory and leaves the rest uninitialized.
void VariantMemory::grow_with_memory(Entry& entry, const at::Tensor& tensor) {
  const std::int64_t known = entry.flat.numel();
  if (known == elements_in_memory(tensor)) return;
  const at::Tensor grown = whole_memory(tensor).to(entry.flat.scalar_type(), false, /*copy=*/true);
  const std::int64_t kept = std::min(known, grown.numel());
  grown.narrow(0, 0, kept).copy_(entry.flat.narrow(0, 0, kept));
  entry.flat = grown;
}

VariantMemory::Entry* VariantMemory::find(const at::Tensor& tensor) {
  if (!can_have_counterpart(tensor)) return nullptr;
  const auto found = entries_.find(storage_of(tensor));
  // A view with another dtype has elements of another size.
  if (found == entries_.end() || found->second.element_bytes != tensor.itemsize()) return nullptr;
  const at::Tensor& flat = found->second.flat;
  if (flat.defined() && reference::is_floating(flat) != reference::is_floating(tensor)) return nullptr;
  if (flat.defined()) grow_with_memory(found->second, tensor);
  return &found->second;
}

VariantMemory::Resized::Resized(const at::Tensor& tensor, at::Tensor counterpart)
    : sizes(tensor.sizes().vec()),
      strides(tensor.strides().vec()),
      offset(tensor.storage_offset()),
      values(std::move(counterpart)) {}

bool VariantMemory::Resized::is_of(const Resized& other) const {
  return sizes == other.sizes && strides == other.strides && offset == other.offset;
}

at::Tensor VariantMemory::counterpart(const Entry& entry, const at::Tensor& tensor) {
  if (entry.flat.defined()) return place_of(tensor, entry.flat);
  const Resized place(tensor);
  const auto known = std::ranges::find_if(entry.resized, [&](const Resized& one) { return one.is_of(place); });
  TORCH_CHECK(known != entry.resized.end(), "shape mismatch: a view whose sizes in the variant are not known");
  return known->values;
}

at::Tensor VariantMemory::of(const at::Tensor& tensor) {
  const std::lock_guard lock(mutex_);
  const Entry* entry = find(tensor);
  return entry == nullptr || !entry->flat.defined() ? at::Tensor() : place_of(tensor, entry->flat);
}

bool VariantMemory::has_other_sizes(const at::Tensor& tensor) {
  const std::lock_guard lock(mutex_);
  const Entry* entry = find(tensor);
  return entry != nullptr && !entry->flat.defined();
}

bool VariantMemory::diverges(const at::Tensor& tensor) {
  if (!tensor.defined()) return false;
  const std::lock_guard lock(mutex_);
  return reference::is_below(tensor.scalar_type(), precision_) || find(tensor) != nullptr;
}

at::Tensor VariantMemory::to_read(const at::Tensor& tensor) {
  const std::lock_guard lock(mutex_);
  return read(tensor);
}

at::Tensor VariantMemory::read(const at::Tensor& tensor) {
  if (const Entry* entry = find(tensor)) return counterpart(*entry, tensor);
  if (!reference::is_floating(tensor)) return tensor;
  if (at::Tensor master = read_master(tensor); master.defined()) return master;
  return type_for(tensor) == tensor.scalar_type() ? tensor : tensor.to(type_for(tensor));
}

at::Tensor VariantMemory::read_master(const at::Tensor& tensor) {
  if (links_.empty() || !can_have_counterpart(tensor)) return {};
  const auto links = links_.find(storage_of(tensor));
  if (links == links_.end()) return {};
  for (const Link& link : links->second) {
    const at::Tensor parameter(link.parameter.lock());
    const at::Tensor master(link.master.lock());
    if (!parameter.defined() || !master.defined() || !parameter.is_alias_of(tensor)) continue;
    const std::int64_t first = tensor.storage_offset() - parameter.storage_offset();
    const bool is_inside = first >= 0 && first + tensor.numel() <= parameter.numel();
    if (!is_inside || parameter.strides() != master.strides() || !parameter.is_non_overlapping_and_dense()) continue;
    const at::Tensor values = read(master);
    return values.as_strided(tensor.sizes(), tensor.strides(), values.storage_offset() + first);
  }
  return {};
}

at::Tensor VariantMemory::to_write(const at::Tensor& tensor) {
  if (!can_have_counterpart(tensor)) return tensor.clone();
  const std::lock_guard lock(mutex_);
  return counterpart(make(tensor), tensor);
}

/// Returns the entry for all of the tensor's memory, with the values that to_read() would return.
VariantMemory::Entry& VariantMemory::make(const at::Tensor& tensor) {
  if (Entry* entry = find(tensor)) return *entry;
  const at::Tensor flat = whole_memory(tensor).to(type_for(tensor), false, /*copy=*/true);
  copy_masters_to(flat, tensor);
  insert(tensor, flat);
  return entries_.at(storage_of(tensor));
}

void VariantMemory::copy_masters_to(const at::Tensor& flat, const at::Tensor& tensor) {
  const auto links = links_.find(storage_of(tensor));
  if (links == links_.end()) return;
  for (const Link& link : links->second) {
    const at::Tensor parameter(link.parameter.lock());
    if (!parameter.defined() || !parameter.is_alias_of(tensor)) continue;
    if (const at::Tensor master = read_master(parameter); master.defined()) place_of(parameter, flat).copy_(master);
  }
}

void VariantMemory::set(const at::Tensor& tensor, const at::Tensor& values) {
  if (!can_have_counterpart(tensor)) return;
  const std::lock_guard lock(mutex_);
  if (values.sizes() != tensor.sizes()) {
    insert(tensor, {});
    entries_.at(storage_of(tensor)).resized.emplace_back(tensor, values);
    return;
  }
  if (const Entry* known = find(tensor); known != nullptr && !known->flat.defined()) entries_.erase(storage_of(tensor));
  if (fills_its_memory(tensor)) {
    if (can_be_taken_over(values, tensor)) return insert(tensor, whole_memory(values));
    insert(tensor, at::empty({elements_in_memory(tensor)}, values.options()));
  }
  place_of(tensor, make(tensor).flat).copy_(values);
}

void VariantMemory::set_view(const at::Tensor& tensor, const at::Tensor& values) {
  const std::lock_guard lock(mutex_);
  Entry* const entry = find(tensor);
  if (entry == nullptr || entry->flat.defined()) return;
  Resized view(tensor, values);
  std::erase_if(entry->resized, [&](const Resized& known) { return known.is_of(view); });
  entry->resized.push_back(std::move(view));
}

void VariantMemory::follow(const at::Tensor& tensor) {
  if (!can_have_counterpart(tensor)) return;
  const std::lock_guard lock(mutex_);
  const bool has_link = links_.contains(storage_of(tensor));
  const Entry* const entry = find(tensor);
  if (!has_link && entry == nullptr) return;
  const bool is_resized = entry != nullptr && !entry->flat.defined();
  if (is_resized || (!has_link && fills_its_memory(tensor))) {
    entries_.erase(storage_of(tensor));
  } else {
    place_of(tensor, make(tensor).flat).copy_(tensor);
  }
}

void VariantMemory::link(const at::Tensor& parameter, const at::Tensor& master) {
  if (!can_have_counterpart(parameter)) return;
  const std::lock_guard lock(mutex_);
  links_[storage_of(parameter)].push_back({parameter.storage().getWeakStorageImpl(),
                                           WeakTensor(parameter.getIntrusivePtr()),
                                           WeakTensor(master.getIntrusivePtr())});
}

void VariantMemory::insert(const at::Tensor& tensor, at::Tensor flat) {
  purge();
  entries_.insert_or_assign(storage_of(tensor),
                            Entry{tensor.storage().getWeakStorageImpl(), tensor.itemsize(), std::move(flat)});
}

// Storages do not announce their release, so all entries are checked every few insertions.
void VariantMemory::purge() {
  constexpr int kInsertionsBetween = 8;
  if (++inserted_since_purge_ < kInsertionsBetween) return;
  inserted_since_purge_ = 0;
  std::erase_if(entries_, [](const auto& entry) { return entry.second.memory.expired(); });
  std::erase_if(links_, [](const auto& links) { return links.second.front().memory.expired(); });
}

void VariantMemory::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

std::size_t VariantMemory::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::int64_t VariantMemory::bytes() const {
  const std::lock_guard lock(mutex_);
  std::int64_t bytes = 0;
  for (const auto& [memory, entry] : entries_) {
    const at::Tensor& values = entry.flat.defined() ? entry.flat : entry.resized.front().values;
    bytes += static_cast<std::int64_t>(values.nbytes());
  }
  return bytes;
}

}  // namespace ampprof::variant

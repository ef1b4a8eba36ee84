// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/known_checksums.h"

#include <algorithm>

#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"
#include "precision/torch_hooks/tensor_memory.h"

namespace ampprof::tensors {
namespace {

using torch_hooks::version_of;

constexpr std::int64_t kWorthwhile = 1024;  // elements on the CPU; reading fewer is as fast as a lookup

bool can_be_known(const at::Tensor& tensor) {
  return has_plain_memory(tensor) && (tensor.numel() >= kWorthwhile || !tensor.is_cpu()) && tensor.has_storage() &&
         !tensor.is_inference() && !tensor.is_conj() && !tensor.is_neg();
}

const c10::StorageImpl* memory_of(const at::Tensor& tensor) { return tensor.storage().unsafeGetStorageImpl(); }

}  // namespace

const KnownChecksums::Known* KnownChecksums::find(const at::Tensor& tensor) const {
  const auto memory = memory_.find(memory_of(tensor));
  // The storage was freed, and another one may have its address.
  if (memory == memory_.end() || memory->second.storage.expired()) return nullptr;
  const std::vector<Known>& all = memory->second.tensors;
  const auto known = std::ranges::find_if(all, [&](const Known& one) {
    return one.version == version_of(tensor) && one.offset == tensor.storage_offset() &&
           one.type == tensor.scalar_type() && tensor.sizes() == one.sizes && tensor.strides() == one.strides;
  });
  return known == all.end() ? nullptr : &*known;
}

KnownChecksums::Memory& KnownChecksums::memory_at(const at::Tensor& tensor) {
  const auto known = memory_.find(memory_of(tensor));
  if (known != memory_.end() && !known->second.storage.expired()) return known->second;
  if (known != memory_.end()) memory_.erase(known);
  const auto storage = torch_hooks::another_owner_of(tensor.storage().unsafeGetStorageImpl());
  return memory_.emplace(memory_of(tensor), Memory{WeakStorage(storage), {}}).first->second;
}

Checksum KnownChecksums::of(const at::Tensor& tensor, DeferredReductions* later) {
  const auto find_out = [&] {
    return later == nullptr ? Checksum(checksum_of(tensor)) : Checksum(later->add_checksum(tensor));
  };
  if (!can_be_known(tensor)) return find_out();
  {
    const std::lock_guard lock(mutex_);
    if (const Known* known = find(tensor)) return known->checksum;
  }
  const Checksum checksum = find_out();
  put(tensor, checksum);
  return checksum;
}

void KnownChecksums::put(const at::Tensor& tensor, const Checksum& checksum) {
  if (!can_be_known(tensor)) return;
  const std::lock_guard lock(mutex_);
  Memory& memory = memory_at(tensor);
  const std::uint32_t version = version_of(tensor);
  std::erase_if(memory.tensors, [&](const Known& known) { return known.version != version; });
  memory.tensors.push_back({.version = version,
                            .offset = tensor.storage_offset(),
                            .type = tensor.scalar_type(),
                            .sizes = tensor.sizes().vec(),
                            .strides = tensor.strides().vec(),
                            .checksum = checksum});
}

void KnownChecksums::forget(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.has_storage()) return;
  const std::lock_guard lock(mutex_);
  memory_.erase(memory_of(tensor));
}

void KnownChecksums::clear() {
  const std::lock_guard lock(mutex_);
  memory_.clear();
}

}  // namespace ampprof::tensors

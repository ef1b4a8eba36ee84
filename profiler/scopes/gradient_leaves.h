// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "precision/torch_hooks/tensor_memory.h"

namespace ampprof::profiler {

/// The leaves that backward passes accumulated a gradient into since the last update, by the memory that they share
/// with their `.data`. A leaf is known by its memory: `identity` is that address. Holds none alive. Not thread-safe.
class GradientLeaves {
 public:
  using Identity = const void*;

  void add(const c10::TensorImpl& leaf) {
    if (!leaf.has_storage()) return;
    const auto held = torch_hooks::another_owner_of(const_cast<c10::TensorImpl*>(&leaf));
    leaves_.insert_or_assign(identity_of(leaf), c10::weak_intrusive_ptr(held));
  }

  /// Returns null for a tensor without memory.
  static Identity identity_of(const c10::TensorImpl& tensor) {
    return tensor.has_storage() ? tensor.unsafe_storage().unsafeGetStorageImpl() : nullptr;
  }

  /// Returns the leaf whose memory `tensor` has; null where there is none.
  Identity leaf_of(const c10::TensorImpl* tensor) const {
    const Identity identity = tensor == nullptr ? nullptr : identity_of(*tensor);
    if (identity == nullptr) return nullptr;
    const auto found = leaves_.find(identity);
    return found == leaves_.end() || found->second.expired() ? nullptr : found->first;
  }

  /// Returns the leaf whose gradient is `gradient`; null where there is none.
  Identity owner_of(const c10::TensorImpl* gradient) const {
    for (const auto& [memory, leaf] : leaves_) {
      const auto alive = leaf.lock();
      if (alive && alive->grad().unsafeGetTensorImpl() == gradient) return memory;
    }
    return nullptr;
  }

  /// A leaf as it was: each write into it makes its version one more.
  struct Versioned {
    Identity leaf;
    std::uint32_t version;
  };
  std::vector<Versioned> versions() const {
    std::vector<Versioned> all;
    for (const auto& [memory, leaf] : leaves_) {
      if (const auto alive = leaf.lock()) all.push_back({memory, torch_hooks::version_of(*alive)});
    }
    return all;
  }
  /// Returns those that were written since.
  std::vector<Identity> changed_since(const std::vector<Versioned>& before) const {
    std::vector<Identity> changed;
    for (const Versioned& leaf : before) {
      const auto known = leaves_.find(leaf.leaf);
      const auto alive = known == leaves_.end() ? c10::intrusive_ptr<c10::TensorImpl>() : known->second.lock();
      if (alive && torch_hooks::version_of(*alive) != leaf.version) changed.push_back(leaf.leaf);
    }
    return changed;
  }

  void clear() { leaves_.clear(); }

 private:
  std::unordered_map<Identity, c10::weak_intrusive_ptr<c10::TensorImpl>> leaves_;
};

}  // namespace ampprof::profiler

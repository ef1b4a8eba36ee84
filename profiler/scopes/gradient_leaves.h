// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "precision/torch_hooks/tensor_memory.h"
#include "profiler/steps/gradient_lives.h"
#include "profiler/steps/pointer_filter.h"

namespace ampprof::profiler {

/// The leaves into which backward passes accumulated a gradient, and the memory of these gradients.
///
/// A leaf has a number of its own, since addresses are reused. It is found by the memory that it shares with its
/// `.data`; a gradient is found by its memory, which views and flat buffers share. Keeps no tensor alive. Not
/// thread-safe.
class GradientLeaves {
 public:
  using Identity = const void*;  ///< memory of a tensor; the tensor itself if it has none

  static Identity identity_of(const c10::TensorImpl& tensor) {
    const c10::StorageImpl* memory = tensor.unsafe_storage().unsafeGetStorageImpl();
    return memory != nullptr ? static_cast<Identity>(memory) : &tensor;
  }

  /// Says that `pass` is about to add to the gradient of `leaf`. Returns the leaf's id the first time in that pass.
  std::optional<LeafId> reached(const c10::TensorImpl& leaf, std::int64_t pass);
  /// Says that a pass has ended. Finds the memory of the gradients that it left. Returns the leaves that have no
  /// gradient.
  std::vector<LeafId> pass_ended(std::int64_t pass);
  /// Returns the id of the leaf in this memory; an id for the memory itself if no pass reached a leaf there.
  LeafId id_of(Identity memory);

  /// Returns whether a pass reached this leaf, which must be alive.
  bool knows(const c10::TensorImpl& leaf) const {
    const auto found = leaves_.find(&leaf);
    return found != leaves_.end() && !found->second.tensor.expired();
  }
  /// Returns the memory of `tensor` if a leaf with a gradient has it, else null.
  Identity leaf_of(const c10::TensorImpl* tensor) const;
  /// Returns the leaf in this memory that a pass reached; undefined if there is none, or it is gone.
  at::Tensor tensor_in(Identity memory) const;
  /// Returns the leaf whose gradient is `gradient`; null for none.
  Identity owner_of(const c10::TensorImpl* gradient) const;

  /// Returns whether `tensor` may lie in the memory of a gradient that a pass left.
  bool may_be_gradient(const c10::TensorImpl& tensor) const { return gradients_.may_have(identity_of(tensor)); }
  /// Returns the leaves whose gradient lies in the memory of `tensor` now.
  std::vector<LeafId> owners_of_memory(const c10::TensorImpl& tensor) const;
  /// Returns whether a pass has left gradients that were not dropped since, as far as is known.
  bool has_gradients() const { return !by_gradient_.empty(); }
  /// Changes of gradients, found by comparison, since `leaf.grad = None` calls no hook.
  struct Changes {
    std::vector<LeafId> cleared, replaced, dead;
  };
  /// Returns the changes since the last call or pass.
  Changes take_changes();
  /// Returns whether a pass has ended since take_changes().
  bool may_have_changed() const { return may_have_changed_; }

  /// The version of a leaf. Each write into the leaf increases it by one.
  struct Versioned {
    Identity leaf;
    std::uint32_t version;
  };
  std::vector<Versioned> versions() const;
  /// Returns the leaves that were written since.
  std::vector<Identity> changed_since(const std::vector<Versioned>& before) const;

 private:
  struct Leaf {
    LeafId id = 0;
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    Identity memory = nullptr;
    Identity gradient = nullptr;  ///< memory of the gradient that a pass left; null for none
    std::int64_t pass = 0;        ///< the last that reached it
    bool is_in_pass = false;      ///< that pass has not ended
  };
  using Key = const c10::TensorImpl*;

  Leaf& leaf_at(const c10::TensorImpl& tensor);
  void set_gradient(Key key, Leaf& leaf, Identity memory);
  void filter_again();
  void forget_dead();

  std::unordered_map<Key, Leaf> leaves_;
  std::unordered_map<Identity, Key> by_memory_;
  PointerFilter memories_;                             ///< of by_memory_
  std::unordered_map<Identity, LeafId> without_pass_;  ///< ids of memory without a reached leaf
  std::unordered_multimap<Identity, Key> by_gradient_;
  PointerFilter gradients_;
  std::vector<Key> of_pass_;  ///< reached since pass_ended()
  bool may_have_changed_ = false;
  LeafId ids_ = 0;
  std::size_t most_leaves_ = 64;
};

}  // namespace ampprof::profiler

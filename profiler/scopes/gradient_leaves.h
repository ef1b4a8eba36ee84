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

/// Holds the leaves into which backward passes accumulated a gradient, and the storages of these gradients.
///
/// Each leaf has a LeafId, since addresses are reused. Leaves are looked up by storage, which a leaf shares with its
/// `.data`. Gradients are also looked up by storage, which they share with their views and flat buffers. Keeps no
/// tensor alive. Not thread-safe.
class GradientLeaves {
 public:
  using Identity = const void*;  ///< address of a tensor's storage; of the tensor itself if it has no storage

  static Identity identity_of(const c10::TensorImpl& tensor) {
    const c10::StorageImpl* memory = tensor.unsafe_storage().unsafeGetStorageImpl();
    return memory != nullptr ? static_cast<Identity>(memory) : &tensor;
  }

  /// Notes that `pass` is about to add to the gradient of `leaf`. Returns the leaf's id at the first call for this leaf
  /// in the pass, else empty.
  std::optional<LeafId> reached(const c10::TensorImpl& leaf, std::int64_t pass);
  /// Notes that a pass has ended, and looks up the storages of the gradients of its leaves. Returns the leaves of the
  /// pass that have no gradient.
  std::vector<LeafId> pass_ended(std::int64_t pass);
  /// Returns the id of the leaf in this storage. A storage in which no pass reached a leaf gets an id, too.
  LeafId id_of(Identity memory);

  /// Returns whether a pass reached this leaf, which must be alive.
  bool knows(const c10::TensorImpl& leaf) const {
    const auto found = leaves_.find(&leaf);
    return found != leaves_.end() && !found->second.tensor.expired();
  }
  /// Returns the storage of `tensor` if it contains a leaf with a gradient, else null.
  Identity leaf_of(const c10::TensorImpl* tensor) const;
  /// Returns the leaf in this storage that a pass reached; undefined if there is none or if the leaf was freed.
  at::Tensor tensor_in(Identity memory) const;
  /// Returns the storage of the leaf whose `.grad` is this very tensor; null if there is none. Slow: checks all leaves.
  Identity owner_of(const c10::TensorImpl* gradient) const;

  /// Returns true for each tensor that shares storage with a gradient, and false for most other tensors.
  bool may_be_gradient(const c10::TensorImpl& tensor) const { return gradients_.may_have(identity_of(tensor)); }
  /// Returns the leaves whose current gradient lies in the storage of `tensor`.
  std::vector<LeafId> owners_of_memory(const c10::TensorImpl& tensor) const;
  /// Returns whether a leaf has a gradient, as of the last pass_ended() or take_changes().
  bool has_gradients() const { return !by_gradient_.empty(); }
  /// Leaves whose `.grad` changed outside of a pass. Changes are found by comparison, since `leaf.grad = None` calls no
  /// hook.
  struct Changes {
    std::vector<LeafId> cleared, replaced, dead;
  };
  /// Returns the changes since the last take_changes() or pass.
  Changes take_changes();
  /// Returns whether a pass has ended since the last take_changes().
  bool may_have_changed() const { return may_have_changed_; }

  /// The version counter of a leaf. Each in-place write increments it.
  struct Versioned {
    Identity leaf;
    std::uint32_t version;
  };
  std::vector<Versioned> versions() const;
  /// Returns the leaves whose version differs from the one in `before`.
  std::vector<Identity> changed_since(const std::vector<Versioned>& before) const;

 private:
  struct Leaf {
    LeafId id = 0;
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    Identity memory = nullptr;
    Identity gradient = nullptr;  ///< storage of the current gradient; null if there is none
    std::int64_t pass = 0;        ///< id of the last pass that reached this leaf
    bool is_in_pass = false;      ///< `pass` has not ended
  };
  using Key = const c10::TensorImpl*;

  Leaf& leaf_at(const c10::TensorImpl& tensor);
  void set_gradient(Key key, Leaf& leaf, Identity memory);
  void filter_again();
  void forget_dead();

  std::unordered_map<Key, Leaf> leaves_;
  std::unordered_map<Identity, Key> by_memory_;
  PointerFilter memories_;                             ///< keys of by_memory_
  std::unordered_map<Identity, LeafId> without_pass_;  ///< ids of storages in which no pass has reached a leaf
  std::unordered_multimap<Identity, Key> by_gradient_;
  PointerFilter gradients_;   ///< keys of by_gradient_
  std::vector<Key> of_pass_;  ///< leaves reached by passes that have not ended
  bool may_have_changed_ = false;
  LeafId ids_ = 0;
  std::size_t most_leaves_ = 64;
};

}  // namespace ampprof::profiler

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

/// The leaves that backward passes accumulated a gradient into, and where their gradients lie.
///
/// A leaf has a number of its own, since addresses are used again. It is found by the memory that it shares with its
/// `.data`; a gradient is found by its memory, which views and flat buffers share. Holds no tensor alive. Not
/// thread-safe.
class GradientLeaves {
 public:
  using Identity = const void*;  ///< memory of a tensor; the tensor itself where it has none

  static Identity identity_of(const c10::TensorImpl& tensor) {
    const c10::StorageImpl* memory = tensor.unsafe_storage().unsafeGetStorageImpl();
    return memory != nullptr ? static_cast<Identity>(memory) : &tensor;
  }

  /// Says that `pass` is about to add to the gradient of `leaf`. Returns its id the first time in that pass.
  std::optional<LeafId> reached(const c10::TensorImpl& leaf, std::int64_t pass);
  /// Says that a pass has ended: finds where the gradients lie that it left. Returns the leaves that have none.
  std::vector<LeafId> pass_ended(std::int64_t pass);
  /// Returns the id of the leaf in this memory; one for the memory itself where no pass reached it.
  LeafId id_of(Identity memory);

  /// Returns whether a pass reached this leaf, which is alive.
  bool knows(const c10::TensorImpl& leaf) const {
    const auto found = leaves_.find(&leaf);
    return found != leaves_.end() && !found->second.tensor.expired();
  }
  /// Returns the memory of `tensor` if a leaf with a gradient has it, else null.
  Identity leaf_of(const c10::TensorImpl* tensor) const;
  /// Returns the leaf in this memory that a pass reached; undefined where there is none, or it is gone.
  at::Tensor tensor_in(Identity memory) const;
  /// Returns the leaf whose gradient is `gradient`; null where there is none.
  Identity owner_of(const c10::TensorImpl* gradient) const;

  /// Returns whether `tensor` may lie in the memory of a gradient that a pass left.
  bool may_be_gradient(const c10::TensorImpl& tensor) const { return gradients_.may_have(identity_of(tensor)); }
  /// Returns the leaves whose gradient lies in the memory of `tensor` now.
  std::vector<LeafId> owners_of_memory(const c10::TensorImpl& tensor) const;
  /// Returns whether a pass has left gradients that were not dropped since, as far as it is known.
  bool has_gradients() const { return !by_gradient_.empty(); }
  /// Lists what became of gradients, seen from outside: nothing tells of `leaf.grad = None`.
  struct Changes {
    std::vector<LeafId> cleared, replaced, dead;
  };
  /// Returns what changed since the last call or pass.
  Changes take_changes();
  /// Returns whether a pass has ended since take_changes().
  bool may_have_changed() const { return may_have_changed_; }

  /// A leaf as it was: each write into it makes its version one more.
  struct Versioned {
    Identity leaf;
    std::uint32_t version;
  };
  std::vector<Versioned> versions() const;
  /// Returns those that were written since.
  std::vector<Identity> changed_since(const std::vector<Versioned>& before) const;

 private:
  struct Leaf {
    LeafId id = 0;
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    Identity memory = nullptr;
    Identity gradient = nullptr;  ///< memory of the gradient that a pass left; null without one
    std::int64_t pass = 0;        ///< that reached it last
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
  std::unordered_map<Identity, LeafId> without_pass_;  ///< ids of other memory
  std::unordered_multimap<Identity, Key> by_gradient_;
  PointerFilter gradients_;
  std::vector<Key> of_pass_;  ///< reached since pass_ended()
  bool may_have_changed_ = false;
  LeafId ids_ = 0;
  std::size_t most_leaves_ = 64;
};

}  // namespace ampprof::profiler

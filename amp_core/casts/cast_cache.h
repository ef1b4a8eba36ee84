// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "amp_core/base/scalar_types.h"

namespace amp {

/// Copies of FP32 weights in FP16 or BF16, so that a weight used twice in a forward pass is cast once.
///
/// Holds copies only of leaves that require a gradient, made while gradients are recorded: a copy made without
/// recording could not carry a gradient later. An entry belongs to one version of one tensor's data, so a weight that
/// was changed in place or got new data is cast again. LibTorch's optimizers write through `.data()`, which does not
/// change the version. But every update follows a backward pass, so an entry expires when backward reaches its copy.
/// The entry of a freed weight never matches another tensor.
class CastCache {
 public:
  static bool can_hold(const at::Tensor& tensor, at::ScalarType type);

  /// Returns the cached copy; undefined if there is none.
  at::Tensor find(const at::Tensor& tensor, at::ScalarType type) const;
  void insert(const at::Tensor& tensor, at::Tensor copy);
  void clear();
  std::size_t size() const;

 private:
  struct Entry {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    const void* data;
    std::int64_t version;
    std::shared_ptr<std::atomic<bool>> had_gradient;  ///< set by a hook when backward reaches `copy`
    at::Tensor copy;
  };

  using Entries = std::unordered_map<const c10::TensorImpl*, Entry>;

  Entries& entries_of(at::ScalarType type) { return entries_.at(slot_of(type)); }
  const Entries& entries_of(at::ScalarType type) const { return entries_.at(slot_of(type)); }
  static std::size_t slot_of(at::ScalarType type) { return static_cast<std::size_t>(reduced_type_of(type).value()); }

  std::array<Entries, kReducedTypes.size()> entries_;  ///< in the order of ReducedType
};

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace amp {

/// Low copies of FP32 weights, one a type, so that a weight used twice in a forward pass is cast once.
///
/// Holds leaves that require a gradient only, and only while gradients are recorded: a copy made without them could not
/// carry a gradient later. An entry belongs to one version of one tensor's data, so a weight changed in place, or given
/// new data, is cast anew. LibTorch's optimizers write through `.data()`, which leaves the version alone; but an update
/// needs the weight's gradient, so an entry ends with the backward pass that goes through its copy. A weight that died
/// leaves an entry that no other tensor can hit.
class CastCache {
 public:
  static bool can_hold(const at::Tensor& tensor, at::ScalarType type);

  /// The copy, or an undefined tensor.
  at::Tensor find(const at::Tensor& tensor, at::ScalarType type) const;
  void insert(const at::Tensor& tensor, at::Tensor copy);
  void clear();
  std::size_t size() const { return entries_[0].size() + entries_[1].size(); }

 private:
  struct Entry {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    const void* data;
    std::int64_t version;
    std::shared_ptr<std::atomic<bool>> had_gradient;  ///< set by a hook of the copy
    at::Tensor copy;
  };

  /// One map a low type: FP16 and BF16.
  std::array<std::unordered_map<const c10::TensorImpl*, Entry>, 2> entries_;
};

}  // namespace amp

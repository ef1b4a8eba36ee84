// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>

#include <mutex>
#include <unordered_map>

namespace ampprof::shadow {

/// Memory of tensors that a shadow has lost: an op on the way to them could not be followed, and what they inherited
/// is gone. Thread-safe.
class LostMemory {
 public:
  void add(const at::Tensor& tensor);
  bool contains(const at::Tensor& tensor) const;
  /// Nothing is lost from now on, or everything.
  void reset(bool is_all);

 private:
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

  mutable std::mutex mutex_;
  bool is_all_ = false;
  std::unordered_map<const c10::StorageImpl*, WeakStorage> lost_;  ///< keeps addresses from being used again
};

}  // namespace ampprof::shadow

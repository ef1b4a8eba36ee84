// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <unordered_map>

namespace ampprof::variant {

/// Memory of tensors that have something in common, such as that a variant has lost them: an op on the way to them
/// could not be followed. Thread-safe.
class MarkedMemory {
 public:
  void add(const at::Tensor& tensor);
  bool contains(const at::Tensor& tensor) const;
  /// Marks nothing from now on, or everything.
  void reset(bool is_all = false);

 private:
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

  std::atomic<bool> any_ = false;  ///< each argument of each op is asked for
  mutable std::mutex mutex_;
  bool is_all_ = false;
  std::size_t kept_ = 0;                                             ///< alive when it was last looked which are
  std::unordered_map<const c10::StorageImpl*, WeakStorage> marked_;  ///< keeps addresses from being used again
};

}  // namespace ampprof::variant

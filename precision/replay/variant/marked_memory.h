// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <unordered_map>

namespace ampprof::variant {

/// A set of tensor memory with a common property, for example memory without a valid counterpart because an earlier op
/// could not be followed. Thread-safe.
class MarkedMemory {
 public:
  void add(const at::Tensor& tensor);
  bool contains(const at::Tensor& tensor) const;
  /// Clears all marks, or marks everything.
  void reset(bool is_all = false);

 private:
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

  std::atomic<bool> any_ = false;  ///< fast test for an empty set, since each argument of each op is looked up
  mutable std::mutex mutex_;
  bool is_all_ = false;
  std::size_t kept_ = 0;                                             ///< number of live entries after the last purge
  std::unordered_map<const c10::StorageImpl*, WeakStorage> marked_;  ///< weak, to keep addresses from being reused
};

}  // namespace ampprof::variant

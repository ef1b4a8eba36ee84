// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <mutex>
#include <unordered_map>

namespace ampprof::profiler {

/// Tensors of reduced precision that no gradient leads to (an input batch, what is made of it before the first
/// parameter), with what they would be had nothing rounded them. Their rounding changes the loss through the ops that
/// take them. Keyed by memory, so views of them count; entries end with their memory. Thread-safe.
class RoundedInputs {
 public:
  /// Remembers that `rounded` holds what should be `original`. One that is not dense in memory of its own is not
  /// followed.
  void add(const at::Tensor& rounded, const at::Tensor& original);
  /// Returns what this tensor would be, in its own shape and strides; undefined where it is none of them.
  at::Tensor original_of(const at::Tensor& tensor) const;

  /// Forgets this tensor's memory: what is in it is what it should be.
  void forget(const at::Tensor& tensor);

  bool empty() const;
  /// Forgets those whose memory is gone.
  void purge();
  void clear();

 private:
  using Memory = c10::weak_intrusive_ptr<c10::StorageImpl>;
  struct Entry {
    Memory memory;
    at::Tensor flat;  ///< as many elements as the memory holds, in its order
  };

  mutable std::mutex mutex_;
  std::unordered_map<const c10::StorageImpl*, Entry> entries_;
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace ampprof::profiler {

/// Tensors of reduced precision that no gradient leads to (an input batch, what is made of it before the first
/// parameter), with what they would be had nothing rounded them. Their rounding changes the loss through the ops that
/// take them. Keyed by memory, so views of them count; entries end with their memory. An original is of the step that
/// first takes it, the one that it was made in or the next: in later steps the rounded values are what the program
/// trains on, as they are for a replay of the step. Who writes such memory tells: put() or forget(). Thread-safe.
class RoundedInputs {
 public:
  /// A step of a training loop.
  struct Step {
    int loop = 0;
    std::int64_t number = 0;
    bool operator==(const Step&) const = default;
  };

  /// Remembers that `rounded` now holds what should be `original`, of the same sizes, since `made_in`. A tensor that
  /// does not fill its memory is followed where its memory is.
  void put(const at::Tensor& rounded, const at::Tensor& original, const Step& made_in);
  /// Forgets this tensor's memory: what is in it is what it should be.
  void forget(const at::Tensor& tensor);

  /// Returns whether the memory of this tensor is followed.
  bool knows(const at::Tensor& tensor) const;
  /// Returns what this tensor would be for an op of `step`, in its own shape and strides; undefined where it is none of
  /// them, or of another step. The result shares memory that put() may write.
  at::Tensor original_of(const at::Tensor& tensor, const Step& step);

  bool empty() const;
  /// Forgets those whose memory is gone, and those of other steps of this loop.
  void purge(const Step& step);
  void clear();

 private:
  using Memory = c10::weak_intrusive_ptr<c10::StorageImpl>;
  struct Entry {
    Memory memory;
    at::Tensor flat;  ///< as many elements as the memory holds, in its order
    Step made_in;
    std::optional<Step> taken_in{};  ///< empty until an op takes it

    /// Returns whether ops of this step may take it.
    bool is_of(const Step& step) const;
  };

  /// Returns the entry of a tensor whose elements it counts; null where there is none.
  Entry* entry_of(const at::Tensor& tensor);

  mutable std::mutex mutex_;
  std::unordered_map<const c10::StorageImpl*, Entry> entries_;
};

}  // namespace ampprof::profiler

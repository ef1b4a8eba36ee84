// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ampprof::profiler {

/// Holds what a tensor would be without the rounding of one call site and of all with larger ids. From one original to
/// the next, or to the tensor itself, is what that call site did; from the first one, all that was rounded.
struct Original {
  std::int64_t made_by = 0;  ///< the call site; 0: no call rounded it
  at::Tensor values;
  bool is_decided = false;  ///< integers that the rounding changed are on the way
};
/// By ascending call site, each once; empty where nothing was rounded.
using Originals = std::vector<Original>;

/// Returns what the tensor would be without the rounding of `call_site` and of all with larger ids; null: what it is.
const Original* without(const Originals& originals, std::int64_t call_site);

/// Tensors that no gradient leads to (an input batch, a count, an index, a mask, a buffer), with what they would be had
/// less been rounded. Their rounding changes the loss through the ops that take them. Keyed by memory, so views of them
/// count; entries end with their memory. An original is of the step that first takes it, the one that it was made in or
/// the next: in later steps the rounded values are what the program trains on, as they are for a replay of the step.
/// Who writes such memory tells: put() or forget(). Thread-safe.
class RoundedInputs {
 public:
  /// A step of a training loop.
  struct Step {
    int loop = 0;
    std::int64_t number = 0;
    bool operator==(const Step&) const = default;
  };

  /// Remembers that `rounded` has these originals, at least one, of the same sizes and one type, since `made_in`. A
  /// tensor that does not fill its memory is followed where its memory is.
  void put(const at::Tensor& rounded, const Originals& originals, const Step& made_in);
  /// Forgets this tensor's memory: what is in it is what it should be.
  void forget(const at::Tensor& tensor);

  /// Returns whether the memory of this tensor is followed.
  bool knows(const at::Tensor& tensor) const;
  /// Returns what this tensor would be for an op of `step`, in its own shape and strides; nothing where it is none of
  /// them, or of another step. The results share memory that put() may write.
  Originals originals_of(const at::Tensor& tensor, const Step& step);

  bool empty() const;
  /// Forgets those whose memory is gone, and those of other steps of this loop.
  void purge(const Step& step);
  void clear();

 private:
  using Memory = c10::weak_intrusive_ptr<c10::StorageImpl>;
  struct Entry {
    Memory memory;
    Originals flat;  ///< each of as many elements as the memory holds, in its order
    Step made_in;
    std::optional<Step> taken_in{};  ///< empty until an op takes it

    /// Returns whether ops of this step may take it.
    bool is_of(const Step& step) const;
  };

  /// Returns the entry of a tensor whose elements it counts; null where there is none.
  Entry* entry_of(const at::Tensor& tensor);
  static void put_part(Entry& entry, const at::Tensor& rounded, const Originals& originals);

  mutable std::mutex mutex_;
  std::unordered_map<const c10::StorageImpl*, Entry> entries_;
};

}  // namespace ampprof::profiler

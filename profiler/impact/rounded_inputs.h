// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ampprof::profiler {

/// Holds a tensor's values without the rounding of one call site and of all sites with larger ids. The difference to
/// the next original, or to the tensor itself, is that call site's rounding. The first original lacks all rounding.
struct Original {
  std::int64_t made_by = 0;  ///< the call site; 0 if no call rounded it
  at::Tensor values;
  bool is_decided = false;  ///< the rounding changed integers on the way here
};
/// By ascending call site, without repeats. Empty if nothing was rounded.
using Originals = std::vector<Original>;

/// Returns the original without the rounding of `call_site` and of all sites with larger ids; null if the tensor itself
/// has none of these roundings.
const Original* without(const Originals& originals, std::int64_t call_site);

/// Keeps the originals of tensors that no gradient reaches: an input batch, a count, an index, a mask, a buffer. Their
/// rounding changes the loss through the ops that take them. Keyed by memory, so views are found too. An entry ends
/// with its memory. An original belongs to the step that first takes it, which is the step that made it or the next
/// one. In later steps the rounded values are the program's data, as they are for a replay of the step. Code that
/// writes such memory must call put() or forget(). Thread-safe.
class RoundedInputs {
 public:
  /// A step of a training loop.
  struct Step {
    int loop = 0;
    std::int64_t number = 0;
    bool operator==(const Step&) const = default;
  };

  /// Remembers the originals of `rounded` from step `made_in` on. There must be at least one. All have the tensor's
  /// sizes and share one type. A tensor that does not fill its memory is remembered only if its memory is known
  /// already.
  void put(const at::Tensor& rounded, const Originals& originals, const Step& made_in);
  /// Forgets this tensor's memory, because its values are no longer rounded ones.
  void forget(const at::Tensor& tensor);

  /// Returns whether there are originals for this tensor's memory.
  bool knows(const at::Tensor& tensor) const;
  /// Returns the originals of this tensor for an op of `step`, in the tensor's shape and strides. The list is empty if
  /// there are none, or if they belong to another step. The results share memory that put() may write.
  Originals originals_of(const at::Tensor& tensor, const Step& step);

  bool empty() const;
  /// Forgets entries whose memory is gone, and those of other steps of this loop.
  void purge(const Step& step);
  void clear();

 private:
  using Memory = c10::weak_intrusive_ptr<c10::StorageImpl>;
  struct Entry {
    Memory memory;
    Originals flat;  ///< each has all elements of the memory, in its order
    Step made_in;
    std::optional<Step> taken_in{};  ///< empty until an op takes it

    /// Returns whether it counts for ops of this step.
    bool is_of(const Step& step) const;
  };

  /// Returns the entry for a tensor's memory; null if there is none, or if its elements have another size.
  Entry* entry_of(const at::Tensor& tensor);
  static void put_part(Entry& entry, const at::Tensor& rounded, const Originals& originals);

  mutable std::mutex mutex_;
  std::unordered_map<const c10::StorageImpl*, Entry> entries_;
};

}  // namespace ampprof::profiler

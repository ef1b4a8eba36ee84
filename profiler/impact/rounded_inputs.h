// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ampprof::profiler {

/// Holds a tensor's values without the rounding of call site `made_by` and of all sites with larger ids. The difference
/// to the next original, or for the last original to the tensor itself, is the rounding of `made_by`. So the first
/// original has no rounding at all.
struct Original {
  std::int64_t made_by = 0;  ///< the call site that rounded; 0 if it is unknown
  at::Tensor values;
  bool is_decided = false;  ///< the rounding changed integers (such as an index) from which the values were computed
};
/// The originals of a tensor by ascending call site, without repeats. Empty if nothing was rounded.
using Originals = std::vector<Original>;

/// Returns the original without the rounding of `call_site` and of all sites with larger ids; null if the tensor
/// contains none of these roundings.
const Original* without(const Originals& originals, std::int64_t call_site);

/// Keeps the originals of tensors that no gradient reaches: an input batch, a count, an index, a mask, a buffer. Their
/// rounding changes the loss through the ops that read them. Keyed by storage, so views are found, too. An entry ends
/// with its storage. Originals apply only in the step that first reads them: the step that made them, or the next one.
/// In later steps the rounded values are the program's data, as they are for a replay of the step. A caller that sees a
/// write to such a storage must call put() or forget(). Thread-safe.
class RoundedInputs {
 public:
  /// A step of a training loop.
  struct Step {
    int loop = 0;
    std::int64_t number = 0;
    bool operator==(const Step&) const = default;
  };

  /// Remembers the originals of `rounded`, which step `made_in` made. `originals` must not be empty. All have the
  /// tensor's sizes and share one type. The originals of a tensor that does not fill its storage are remembered only if
  /// the storage has an entry already.
  void put(const at::Tensor& rounded, const Originals& originals, const Step& made_in);
  /// Forgets the originals of this tensor's storage, because its values have changed.
  void forget(const at::Tensor& tensor);

  /// Returns whether there are originals for this tensor's storage.
  bool knows(const at::Tensor& tensor) const;
  /// Returns the originals of this tensor for an op of `step`, in the tensor's shape and strides. The list is empty if
  /// there are none, or if they belong to another step. The results share memory that put() may write.
  Originals originals_of(const at::Tensor& tensor, const Step& step);

  bool empty() const;
  /// Forgets entries whose storage is gone, and entries of the loop of `step` whose originals do not apply in `step`.
  void purge(const Step& step);
  void clear();

 private:
  using Memory = c10::weak_intrusive_ptr<c10::StorageImpl>;
  struct Entry {
    Memory memory;
    Originals flat;  ///< each original is flat and has all elements of the storage, in memory order
    Step made_in;
    std::optional<Step> taken_in{};  ///< step of the first op that read the tensor; empty before any read

    /// Returns whether the originals apply to ops of this step.
    bool is_of(const Step& step) const;
  };

  /// Returns the entry for a tensor's storage; null if there is none, or if the tensor's elements have another size.
  Entry* entry_of(const at::Tensor& tensor);
  static void put_part(Entry& entry, const at::Tensor& rounded, const Originals& originals);

  mutable std::mutex mutex_;
  std::unordered_map<const c10::StorageImpl*, Entry> entries_;
};

}  // namespace ampprof::profiler

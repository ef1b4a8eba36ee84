// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ampprof::variant {

/// High-precision counterparts of tensors: the values that their memory would have without any rounding.
///
/// They are stored by memory (StorageImpl), not by tensor, as one flat tensor with the same element numbers. So views,
/// detached tensors and tensors saved by autograd find them without being tracked. Memory without a counterpart has not
/// diverged: it is its own counterpart and costs nothing. A counterpart is freed soon after its memory. Counterparts of
/// other sizes, caused by other integers, are stored by tensor instead: by its place in the memory. All returned
/// tensors are outside autograd; call under ObserverDisabledGuard. Thread-safe.
class VariantMemory {
 public:
  /// `precision` is kFloat or kDouble; tensors of that type or above keep theirs.
  explicit VariantMemory(at::ScalarType precision) : precision_(precision) {}

  /// Returns the counterpart of `tensor`, writable, with the same sizes and strides; undefined if it is its own or has
  /// other sizes.
  at::Tensor of(const at::Tensor& tensor);
  /// Returns whether the counterpart of its memory has other sizes.
  bool has_other_sizes(const at::Tensor& tensor);
  /// Returns the tensor that an op reads in its place: the counterpart, that of a master, or its current values. Throws
  /// if the counterpart of its memory has other sizes and this view of it is unknown.
  at::Tensor to_read(const at::Tensor& tensor);
  /// Returns the tensor that an op writes in its place: the counterpart, created from to_read() if there is none.
  /// Throws like to_read().
  at::Tensor to_write(const at::Tensor& tensor);
  /// Returns whether other values than its own would be read in its place.
  bool diverges(const at::Tensor& tensor);

  /// Makes `values` the counterpart of `tensor`. Takes over the memory of `values` if the layout allows it. Values of
  /// other sizes are stored without a copy, so nobody else may write them.
  void set(const at::Tensor& tensor, const at::Tensor& values);
  /// Makes `values` the counterpart of this view of memory whose counterpart has other sizes.
  void set_view(const at::Tensor& tensor, const at::Tensor& values);
  /// Sets the counterpart to the current values of `tensor`; for a view, only the part that it covers.
  void follow(const at::Tensor& tensor);

  /// Makes reads of `parameter`, if it has no counterpart, return those of `master`, which has the same sizes.
  void link(const at::Tensor& parameter, const at::Tensor& master);

  /// Makes every tensor its own counterpart again; links stay.
  void clear();

  std::size_t size() const;
  std::int64_t bytes() const;

 private:
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

  /// A counterpart of other sizes, with the place of its tensor in the memory.
  struct Resized {
    explicit Resized(const at::Tensor& tensor, at::Tensor counterpart = {});
    bool is_of(const Resized& other) const;

    std::vector<std::int64_t> sizes, strides;
    std::int64_t offset;
    at::Tensor values;
  };
  struct Entry {
    WeakStorage memory;  ///< keeps the address from being reused
    std::size_t element_bytes;
    at::Tensor flat;                    ///< undefined if its sizes differ
    std::vector<Resized> resized = {};  ///< then the known views
  };
  struct Link {
    WeakStorage memory;
    WeakTensor parameter;
    WeakTensor master;
  };

  Entry* find(const at::Tensor& tensor);
  static at::Tensor counterpart(const Entry& entry, const at::Tensor& tensor);
  void grow_with_memory(Entry& entry, const at::Tensor& tensor);
  Entry& make(const at::Tensor& tensor);
  void insert(const at::Tensor& tensor, at::Tensor flat);
  at::Tensor read(const at::Tensor& tensor);
  at::Tensor read_master(const at::Tensor& tensor);
  void copy_masters_to(const at::Tensor& flat, const at::Tensor& tensor);
  void purge();
  at::ScalarType type_for(const at::Tensor& tensor) const;

  const at::ScalarType precision_;
  mutable std::mutex mutex_;
  std::unordered_map<const c10::StorageImpl*, Entry> entries_;
  std::unordered_map<const c10::StorageImpl*, std::vector<Link>> links_;
  int inserted_since_purge_ = 0;
};

}  // namespace ampprof::variant

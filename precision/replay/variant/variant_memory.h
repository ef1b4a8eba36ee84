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

/// High-precision counterparts of tensors: the values that their memory would have without rounding.
///
/// A counterpart is stored per memory (StorageImpl), not per tensor, as one flat tensor with the same element indices.
/// So views, detached tensors and tensors saved by autograd find it without being tracked. Memory without a counterpart
/// has not diverged: it is its own counterpart and costs nothing. A counterpart is freed soon after its memory.
/// Counterparts of other sizes, caused by integers that differ, are stored per view of the memory (offset, sizes,
/// strides) instead. All returned tensors are outside autograd; call under ObserverDisabledGuard. Thread-safe.
class VariantMemory {
 public:
  /// `precision` is kFloat or kDouble; counterparts of tensors with that type or a wider one keep the type.
  explicit VariantMemory(at::ScalarType precision) : precision_(precision) {}

  /// Returns the counterpart of `tensor`, writable, with the same sizes and strides; undefined if `tensor` is its own
  /// counterpart, or if the counterpart has other sizes.
  at::Tensor of(const at::Tensor& tensor);
  /// Returns whether the counterpart of the tensor's memory has other sizes.
  bool has_other_sizes(const at::Tensor& tensor);
  /// Returns the tensor that an op reads instead of `tensor`: its counterpart; without one, the counterpart of its
  /// master weight; else its current values. Throws if the counterpart of the memory has other sizes and this view was
  /// not stored.
  at::Tensor to_read(const at::Tensor& tensor);
  /// Returns the tensor that an op writes instead of `tensor`: the counterpart, created from to_read() if there is
  /// none. Throws like to_read().
  at::Tensor to_write(const at::Tensor& tensor);
  /// Returns whether to_read() returns values other than those of `tensor`.
  bool diverges(const at::Tensor& tensor);

  /// Makes `values` the counterpart of `tensor`. Shares the memory of `values` if the layout allows it. Values of other
  /// sizes are stored without a copy, so the caller must not write them any more.
  void set(const at::Tensor& tensor, const at::Tensor& values);
  /// Makes `values` the counterpart of this view, in memory whose counterpart has other sizes.
  void set_view(const at::Tensor& tensor, const at::Tensor& values);
  /// Sets the counterpart to the current values of `tensor`; if `tensor` is a view, only the part that it covers.
  void follow(const at::Tensor& tensor);

  /// Makes reads of a `parameter` without a counterpart return the values of `master`, which has the same sizes.
  void link(const at::Tensor& parameter, const at::Tensor& master);

  /// Makes every tensor its own counterpart again; links stay.
  void clear();

  std::size_t size() const;
  std::int64_t bytes() const;

 private:
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

  /// A counterpart of other sizes, with the view for which it is stored.
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
    at::Tensor flat;                    ///< undefined if the counterpart has other sizes
    std::vector<Resized> resized = {};  ///< the stored views, if the counterpart has other sizes
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

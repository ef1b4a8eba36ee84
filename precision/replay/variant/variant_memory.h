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

/// High-precision counterparts of tensors: what their memory would hold if nothing had been rounded.
///
/// Kept by memory (StorageImpl), not by tensor, as one flat tensor whose elements are numbered as those of the
/// memory. So views, detached tensors and tensors that autograd saved find it without anybody following them. Memory
/// without a counterpart has not diverged: it is its own, and costs nothing. A counterpart dies soon after its memory.
/// Counterparts of other sizes, which come of other integers, are kept by tensor instead: by its place in the memory.
/// All tensors that are returned are outside of autograd; call under ObserverDisabledGuard. Thread-safe.
class VariantMemory {
 public:
  /// `precision` is kFloat or kDouble; tensors of that type or above keep theirs.
  explicit VariantMemory(at::ScalarType precision) : precision_(precision) {}

  /// The counterpart of `tensor`, same sizes and strides, writable; undefined where it is its own or has other sizes.
  at::Tensor of(const at::Tensor& tensor);
  /// Whether the counterpart of its memory has other sizes.
  bool has_other_sizes(const at::Tensor& tensor);
  /// Returns what an op reads in its place: the counterpart, that of a master, or the values that it holds now. Throws
  /// where the counterpart of its memory has other sizes, and this view of it is not known.
  at::Tensor to_read(const at::Tensor& tensor);
  /// Returns what an op writes in its place: the counterpart, made of what to_read() gives where there is none. Throws
  /// as that does.
  at::Tensor to_write(const at::Tensor& tensor);
  /// Whether anything but its own values would be read in its place.
  bool diverges(const at::Tensor& tensor);

  /// `values` is the counterpart of `tensor` from now on. Takes the memory of `values` over where the layout allows it.
  /// Values of other sizes are kept as they are: nobody else may write them.
  void set(const at::Tensor& tensor, const at::Tensor& values);
  /// `values` is the counterpart of this view of memory whose counterpart has other sizes.
  void set_view(const at::Tensor& tensor, const at::Tensor& values);
  /// The values that `tensor` holds now are its counterpart's from now on; of a view, only those that it shows.
  void follow(const at::Tensor& tensor);

  /// Where `parameter` has no counterpart, it is read as `master`, of the same sizes, is.
  void link(const at::Tensor& parameter, const at::Tensor& master);

  /// Every tensor is its own counterpart again; links stay.
  void clear();

  std::size_t size() const;
  std::int64_t bytes() const;

 private:
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

  /// A counterpart of other sizes, and where its tensor lies in the memory.
  struct Resized {
    explicit Resized(const at::Tensor& tensor, at::Tensor counterpart = {});
    bool is_of(const Resized& other) const;

    std::vector<std::int64_t> sizes, strides;
    std::int64_t offset;
    at::Tensor values;
  };
  struct Entry {
    WeakStorage memory;  ///< keeps the address from being used again
    std::size_t element_bytes;
    at::Tensor flat;                    ///< undefined where its sizes are others
    std::vector<Resized> resized = {};  ///< then: each view that is known
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

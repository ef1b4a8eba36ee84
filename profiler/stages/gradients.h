// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <unordered_map>

namespace ampprof::profiler {

struct Call;

/// Which tensors of a backward pass are gradients: those that a loss scale would multiply. The rest (saved activations,
/// weights, what is computed from them alone) it would not.
///
/// An argument is one if the op calls it a gradient, or if its memory came from a backward op that took one. Keyed by
/// memory, so views count; entries end with their memory. Not thread-safe.
class Gradients {
 public:
  /// Returns whether `argument` of a call in this phase is a gradient, or a list of such.
  bool contains(const c10::Argument& argument, const at::Tensor& tensor) const;

  /// Follows a call that has run: what it made is a gradient if it took one. Returns whether it did.
  bool follow(const Call& call);

  std::size_t size() const { return memory_.size(); }

 private:
  using Memory = c10::weak_intrusive_ptr<c10::StorageImpl>;

  void add(const at::Tensor& tensor);
  bool holds(const at::Tensor& tensor) const;
  bool takes_one(const Call& call) const;
  void purge();

  std::unordered_map<const c10::StorageImpl*, Memory> memory_;
  std::size_t purge_at_ = 64;
};

}  // namespace ampprof::profiler

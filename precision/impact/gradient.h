// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace ampprof::impact {

/// A gradient to multiply by errors: a tensor, or the mean of two tensors of one shape and device. The mean is computed
/// only when it is multiplied by an error. Takes any floating types and strides.
class Gradient {
 public:
  Gradient(const at::Tensor& gradient) : first_(gradient) {}  // NOLINT(google-explicit-constructor): usually one tensor
  static Gradient mean_of(const at::Tensor& first, const at::Tensor& second) { return {first, second}; }

  const at::Tensor& first() const { return first_; }
  /// Returns the second tensor; undefined if there is only one.
  const at::Tensor& second() const { return second_; }
  /// Returns the tensor, or the mean of the two, in FP32 or FP64.
  at::Tensor values() const;

 private:
  Gradient(const at::Tensor& first, const at::Tensor& second) : first_(first), second_(second) {}

  at::Tensor first_;
  at::Tensor second_{};
};

}  // namespace ampprof::impact

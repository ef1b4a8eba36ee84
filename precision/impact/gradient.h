// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace ampprof::impact {

/// A gradient that errors meet: a tensor, or the mean of two of one shape and device, which is computed where it is
/// multiplied. Any floating types and strides.
class Gradient {
 public:
  Gradient(const at::Tensor& gradient) : first_(gradient) {}  // NOLINT(google-explicit-constructor): mostly it is one
  static Gradient mean_of(const at::Tensor& first, const at::Tensor& second) { return {first, second}; }

  const at::Tensor& first() const { return first_; }
  /// Undefined where there is one only.
  const at::Tensor& second() const { return second_; }
  /// Returns the one, or the mean of two, in FP32 or above.
  at::Tensor values() const;

 private:
  Gradient(const at::Tensor& first, const at::Tensor& second) : first_(first), second_(second) {}

  at::Tensor first_;
  at::Tensor second_{};
};

}  // namespace ampprof::impact

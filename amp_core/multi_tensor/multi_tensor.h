// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

/// Operations on lists of tensors with a few kernel calls per device and type, for lists of any length. They record no
/// gradients, read nothing back to the host, and compute in FP32 (FP64 for FP64 tensors), rounding once.
///
/// Lists of one call must have the same length, and tensors at the same index equal sizes; strides and types may
/// differ. Throws Error otherwise. `found_inf` is one FP32 element: it is set to 1 if a checked value is not finite,
/// else unchanged.
namespace amp::multi_tensor {

/// Computes out = in * factor, rounded to the type of out. Sets `found_inf` for non-finite values of `in`, not for
/// values that overflow only in `out`. NaN and inf in `in` are written to `out` too. `out` may be `in`.
void scale(at::TensorList in, at::TensorList out, double factor, const at::Tensor& found_inf);

/// The operands that axpby() checks for non-finite values.
enum class Checked { Both, X, Y };

/// Computes out = a * x + b * y, rounded to the type of out, which may be x or y.
void axpby(double a, at::TensorList x, double b, at::TensorList y, at::TensorList out, const at::Tensor& found_inf,
           Checked checked = Checked::Both);

/// Euclidean norms, FP32 unless all tensors are FP64.
struct Norms {
  at::Tensor global;      ///< norm of all elements together; zero-dimensional
  at::Tensor per_tensor;  ///< norm of each tensor, in order; one-dimensional
};

/// Returns the norms on the device of the first tensor. The list must not be empty.
Norms l2norm(at::TensorList tensors);

/// Returns the norm of tensors * inverse_scale; `inverse_scale` has one element, on any device. The tensors stay
/// unchanged.
Norms unscale_l2norm(at::TensorList tensors, const at::Tensor& inverse_scale);

/// State of a dynamic loss scale with hysteresis, on the device: one element each.
struct HysteresisScale {
  at::Tensor scale;           ///< FP32
  at::Tensor clean_passes;    ///< int32; number of clean passes since the last overflow or growth
  at::Tensor overflows_left;  ///< int32; number of overflows until the scale falls
};

/// Parameters of update_scale_hysteresis().
struct HysteresisRule {
  double growth = 2.0;
  double backoff = 0.5;
  std::int32_t growth_interval = 2000;
  std::int32_t hysteresis = 1;  ///< number of consecutive overflows that lower the scale
};

/// Updates the state after a pass. An overflow decrements `overflows_left`; at zero, this and every further overflow
/// also lower the scale. The scale may fall to zero. A clean pass resets the counter, and after `growth_interval` clean
/// passes the scale grows unless it would become infinite in FP32. With a hysteresis of 1 the scale changes like that
/// of LibTorch's GradScaler.
void update_scale_hysteresis(HysteresisScale& state, const at::Tensor& found_inf, const HysteresisRule& rule);

}  // namespace amp::multi_tensor

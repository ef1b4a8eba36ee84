// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/round_to.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "precision/formats/types/round_cpu.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::tensors {
namespace {

template <typename T>
void round_in_parallel(const at::Tensor& from, at::Tensor& to, error::WhatIfType type) {
  constexpr std::int64_t kPiece = 1 << 16;
  const T* source = from.const_data_ptr<T>();
  T* target = to.data_ptr<T>();
  at::parallel_for(0, from.numel(), kPiece, [&](std::int64_t start, std::int64_t end) {
    error::cpu::round_to(std::span(source + start, static_cast<std::size_t>(end - start)), target + start, type);
  });
}

at::Tensor rounded_on_cpu(const at::Tensor& tensor, error::WhatIfType type) {
  at::Tensor rounded = at::empty_like(tensor);
  // Overlapping or non-dense memory has no stride order to keep: `tensor` is first copied to `rounded`.
  const bool alike = tensor.is_non_overlapping_and_dense() && tensor.strides() == rounded.strides();
  const at::Tensor source = alike ? tensor : rounded.copy_(tensor);
  if (tensor.scalar_type() == at::kDouble) {
    round_in_parallel<double>(source, rounded, type);
  } else {
    round_in_parallel<float>(source, rounded, type);
  }
  return rounded;
}

/// Rounds the bits as integers, since LibTorch has no TF32 tensors. NaN and inf keep all their bits.
at::Tensor rounded_to_tf32(const at::Tensor& tensor) {
  const at::Tensor bits = tensor.to(at::kFloat).view(at::kInt);
  const at::Tensor magnitude = bits.bitwise_and(0x7fffffff);
  const at::Tensor odd = magnitude.bitwise_right_shift(13).bitwise_and(1);
  const at::Tensor rounded = magnitude.add(odd).add(0xfff).bitwise_and(~0x1fff);
  const at::Tensor kept = at::where(magnitude >= 0x7f800000, magnitude, rounded);
  return kept.bitwise_or(bits.bitwise_and(std::numeric_limits<std::int32_t>::min()))
      .view(at::kFloat)
      .to(tensor.scalar_type());
}

at::Tensor rounded_by_casts(const at::Tensor& tensor, error::WhatIfType type) {
  const error::NumberFormat& format = format_of(type);
  if (format.is_input_only()) return rounded_to_tf32(tensor);
  const at::Tensor rounded = tensor.to(scalar_type_of(format.dtype).value()).to(tensor.scalar_type());
  if (format.has_infinity) return rounded;
  // Casts of too large values give the largest finite value in LibTorch 2.15, NaN in earlier releases.
  return at::where(tensor.to(at::kDouble).abs() < format.overflow, rounded, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

at::Tensor round_to(const at::Tensor& tensor, error::WhatIfType type) {
  if (!tensor.defined() || (tensor.scalar_type() != at::kFloat && tensor.scalar_type() != at::kDouble)) return tensor;
  const ObserverDisabledGuard guard;
  const at::Tensor values = tensor.is_neg() ? tensor.resolve_neg() : tensor;
  return values.is_cpu() ? rounded_on_cpu(values, type) : rounded_by_casts(values, type);
}

}  // namespace ampprof::tensors

// SPDX-License-Identifier: Apache-2.0
#include "precision/error/measure.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <span>

#include "precision/error/kernels.h"
#include "precision/reference/quiet.h"

namespace ampprof {
namespace {

DType dtype_of(at::ScalarType type) {
  switch (type) {
    case at::kHalf:
      return DType::Half;
    case at::kBFloat16:
      return DType::BFloat16;
    case at::kDouble:
      return DType::Double;
    case at::kFloat8_e4m3fn:
      return DType::Float8E4M3;
    case at::kFloat8_e5m2:
      return DType::Float8E5M2;
    default:
      return DType::Float;
  }
}

bool is_measurable(const at::Tensor& tensor) {
  return tensor.defined() && c10::isFloatingType(tensor.scalar_type()) && tensor.layout() == at::kStrided &&
         !tensor.is_meta();
}

// Two dense tensors of the same strides hold their elements in the same order, whatever that is.
bool are_dense_alike(const at::Tensor& a, const at::Tensor& b) {
  return a.is_non_overlapping_and_dense() && b.is_non_overlapping_and_dense() && a.strides() == b.strides();
}

at::Tensor readable(const at::Tensor& tensor) {
  const at::Tensor here = tensor.is_cpu() ? tensor : tensor.cpu();
  return here.is_neg() ? here.resolve_neg() : here;
}

/// In CPU memory, without pending negation, element after element; the same order for both.
void line_up(at::Tensor& output, at::Tensor& reference) {
  output = readable(output);
  if (reference.defined()) reference = readable(reference);
  if (are_dense_alike(output, reference.defined() ? reference : output)) return;
  output = output.contiguous();
  if (reference.defined()) reference = reference.contiguous();
}

template <typename T>
std::span<const T> elements(const at::Tensor& tensor) {
  return {static_cast<const T*>(tensor.const_data_ptr()), static_cast<std::size_t>(tensor.numel())};
}

template <typename R>
Measured measure_span(std::span<const float> output, std::span<const R> reference, DType dtype) {
  return reference.empty() ? cpu::measure_ranges(output) : cpu::measure(output, reference, dtype);
}

void merge(Measured& whole, const Measured& part) {
  if (part.local) whole.local = whole.local.value_or(ErrorStats{});
  if (part.local) whole.local->merge(*part.local);
  whole.ranges.merge(part.ranges);
}

/// A half output is widened block by block, so that it is never in memory twice.
template <typename R>
Measured measure_widened(std::span<const std::uint16_t> output, std::span<const R> reference, DType dtype) {
  constexpr std::size_t kBlock = 4096;
  alignas(64) std::array<float, kBlock> wide;
  const auto widen = dtype == DType::Half ? cpu::widen_half : cpu::widen_bfloat16;
  Measured whole;
  for (std::size_t start = 0; start < output.size(); start += kBlock) {
    const std::size_t size = std::min(kBlock, output.size() - start);
    widen(output.subspan(start, size), wide.data());
    const auto part = reference.empty() ? reference : reference.subspan(start, size);
    merge(whole, measure_span<R>({wide.data(), size}, part, dtype));
  }
  return whole;
}

template <typename R>
Measured measure_against(const at::Tensor& output, std::span<const R> reference, DType dtype) {
  switch (output.scalar_type()) {
    case at::kFloat:
      return measure_span(elements<float>(output), reference, dtype);
    case at::kDouble: {
      const auto values = elements<double>(output);
      return reference.empty() ? cpu::measure_ranges(values) : cpu::measure(values, reference, dtype);
    }
    case at::kHalf:
    case at::kBFloat16:
      return measure_widened(elements<std::uint16_t>(output), reference, dtype);
    default:
      return measure_span(elements<float>(output.to(at::kFloat)), reference, dtype);
  }
}

}  // namespace

Measured measure(const at::Tensor& output, const at::Tensor& reference) {
  Measured measured;
  if (!is_measurable(output)) return measured;
  const Quiet quiet;
  at::Tensor y = output;
  at::Tensor r = is_measurable(reference) && reference.sizes() == output.sizes() ? reference : at::Tensor();
  const bool has_reference = r.defined();
  line_up(y, r);
  const DType dtype = dtype_of(output.scalar_type());
  if (has_reference && r.scalar_type() == at::kDouble) {
    measured = measure_against(y, elements<double>(r), dtype);
  } else {
    const at::Tensor single = has_reference ? r.to(at::kFloat) : at::Tensor();
    measured = measure_against(y, has_reference ? elements<float>(single) : std::span<const float>(), dtype);
  }
  if (has_reference && !measured.local) measured.local = ErrorStats{};  // no elements, no error
  return measured;
}

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#include "precision/error/measure.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "precision/error/dtype_of.h"
#include "precision/error/kernels.h"
#include "precision/reference/quiet.h"

namespace ampprof {
namespace {

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

Elements elements(const at::Tensor& tensor) {
  return {tensor.const_data_ptr(), static_cast<std::size_t>(tensor.numel()), dtype_of(tensor)};
}

/// The kernels know every type of DType.
at::Tensor in_a_known_type(const at::Tensor& tensor) {
  return dtype_of(tensor) == DType::Unknown ? tensor.to(at::kFloat) : tensor;
}

at::Tensor single_or_double(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? tensor : tensor.to(at::kFloat);
}

Measured measure_part(const Elements& output, const std::optional<Elements>& reference, Spacing spacing,
                      std::size_t start, std::size_t size) {
  const Elements part = output.part(start, size);
  return reference ? cpu::measure(part, reference->part(start, size), spacing) : cpu::measure_ranges(part);
}

/// Pieces of a fixed size are merged in their order, so that the number of threads changes nothing.
Measured measure_in_pieces(const Elements& output, const std::optional<Elements>& reference, Spacing spacing) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  const std::size_t count = (output.size + kPiece - 1) / kPiece;
  if (count <= 1) return measure_part(output, reference, spacing, 0, output.size);
  std::vector<Measured> pieces(count);
  at::parallel_for(0, static_cast<std::int64_t>(count), 1, [&](std::int64_t first, std::int64_t last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
      const std::size_t start = i * kPiece;
      pieces[i] = measure_part(output, reference, spacing, start, std::min(kPiece, output.size - start));
    }
  });
  for (std::size_t i = 1; i < count; ++i) pieces[0].merge(pieces[i]);
  return pieces[0];
}

}  // namespace

Measured measure(const at::Tensor& output, const at::Tensor& reference, std::optional<Spacing> spacing) {
  if (!is_measurable(output)) return {};
  const Quiet quiet;
  at::Tensor y = output;
  at::Tensor r = is_measurable(reference) && reference.sizes() == output.sizes() ? reference : at::Tensor();
  line_up(y, r);
  y = in_a_known_type(y);
  const Spacing unit = spacing.value_or(spacing_of(dtype_of(output)));
  if (!r.defined()) return measure_in_pieces(elements(y), std::nullopt, unit);
  r = single_or_double(r);
  return measure_in_pieces(elements(y), elements(r), unit);
}

}  // namespace ampprof

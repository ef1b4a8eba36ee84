// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/products/operand_copy.h"

#include <ATen/ATen.h>

#include <numeric>

#include "precision/formats/products/matrix_rounding.h"
#include "precision/torch_hooks/aside.h"

namespace ampprof::products {
namespace {

using recipes::Element;
using recipes::Rounding;
using recipes::Scale;
using recipes::Transform;

/// Number of random streams reserved for the matrices of one batch.
constexpr std::uint64_t kStreamsOfBatch = std::uint64_t{1} << 24;

bool is_row_major(const at::Tensor& matrix) {
  const auto size = matrix.sizes();
  return (size[1] <= 1 || matrix.stride(1) == 1) && (size[0] <= 1 || matrix.stride(0) >= size[1]);
}

Direction other(Direction direction) {
  return direction == Direction::Rowwise ? Direction::Columnwise : Direction::Rowwise;
}

/// Returns the tensor in FP32 or BF16, the types that the kernels read. FP64 is rounded to FP32 first.
at::Tensor readable(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.is_neg() ? tensor.resolve_neg() : tensor;
  return plain.scalar_type() == at::kBFloat16 ? plain : plain.to(at::kFloat);
}

bool has_tensor_scale(const Operand& operand) {
  return operand.scale == Scale::Tensor || operand.scale == Scale::BlockE4M3;
}

/// Tells whether the matrices of a batch, stacked vertically, have the same blocks as each matrix alone.
bool can_be_stacked(const at::Tensor& batch, const Operand& operand, Direction direction) {
  const bool is_rowwise = direction == Direction::Rowwise;
  std::int64_t step = std::max(is_rowwise ? operand.block.across : operand.block.along, 1);
  if (!is_rowwise && operand.transform == Transform::Hadamard) step = std::lcm<std::int64_t>(step, 16);
  return batch.size(1) % step == 0;
}

/// Calls `work(matrix, rest...)` for each row-major matrix of a batch, or once for the stacked batch if the result is
/// the same.
template <typename Work>
void for_each_matrix(const at::Tensor& batch, const Operand& operand, Direction direction, Work work) {
  if (batch.is_contiguous() && can_be_stacked(batch, operand, direction)) return work(batch.flatten(0, 1), 0);
  for (std::int64_t i = 0; i < batch.size(0); ++i) {
    const at::Tensor matrix = batch[i];
    work(is_row_major(matrix) ? matrix : matrix.contiguous(), i);
  }
}

void raise_amax(const at::Tensor& matrix, const MatrixRounding& how, const at::Tensor& largest) {
  (matrix.is_cpu() ? cpu::raise_amax : cuda::raise_amax)(matrix, how, largest);
}

at::Tensor amax_of_batch(const at::Tensor& batch, const Operand& operand, Direction direction) {
  const at::Tensor largest = at::zeros({}, batch.options().dtype(at::kFloat));
  for_each_matrix(batch, operand, direction, [&](const at::Tensor& matrix, std::int64_t) {
    raise_amax(matrix, {operand, direction, {}, {}}, largest);
  });
  return largest;
}

at::Tensor amax_for_scale(const at::Tensor& batch, const Operand& operand, Direction direction,
                          const CopySettings& settings) {
  if (has_tensor_scale(operand)) return amax_of_batch(batch, operand, direction);
  if (operand.scale != Scale::TensorDelayed) return {};
  return settings.amax.defined() ? settings.amax : at::zeros({}, batch.options().dtype(at::kFloat));
}

/// Rounds the bits as integers, since LibTorch has no TF32 tensors. NaN and inf keep all their bits.
at::Tensor rounded_to_tf32(const at::Tensor& tensor) {
  const at::Tensor bits = tensor.to(at::kFloat).view(at::kInt);
  const at::Tensor magnitude = bits.bitwise_and(0x7fffffff);
  const at::Tensor odd = magnitude.bitwise_right_shift(13).bitwise_and(1);
  const at::Tensor rounded = magnitude.add(odd).add(0xfff).bitwise_and(~0x1fff);
  const at::Tensor kept = at::where(magnitude >= 0x7f800000, magnitude, rounded);
  return kept.bitwise_or(bits.bitwise_and(std::numeric_limits<std::int32_t>::min())).view(at::kFloat);
}

/// Casts on a GPU with LibTorch's ops: an operand without a scale needs no kernel of ampprof.
at::Tensor cast_on_device(const at::Tensor& tensor, Element element) {
  if (element == Element::TensorFloat32) return rounded_to_tf32(tensor);
  return tensor.to(element == Element::Half ? at::kHalf : at::kBFloat16).to(at::kFloat);
}

at::Tensor copy_of_batch(const at::Tensor& batch, const Operand& operand, Direction direction,
                         const CopySettings& settings) {
  const at::Tensor amax = amax_for_scale(batch, operand, direction, settings);
  at::Tensor copy =
      at::empty(batch.sizes(), batch.options().dtype(at::kFloat).memory_format(at::MemoryFormat::Contiguous));
  const at::Tensor rows = copy.flatten(0, 1);
  for_each_matrix(batch, operand, direction, [&](const at::Tensor& matrix, std::int64_t i) {
    const RandomKey random{settings.random.seed,
                           settings.random.stream * kStreamsOfBatch + static_cast<std::uint64_t>(i)};
    const at::Tensor to = rows.narrow(0, i * batch.size(1), matrix.size(0));
    (batch.is_cpu() ? cpu::round_matrix : cuda::round_matrix)(matrix, to, {operand, direction, amax, random},
                                                              settings.losses);
  });
  return copy;
}

/// Tells whether to read a column-major matrix as its transpose. Stochastic rounding depends on an element's index, so
/// a matrix that is rounded stochastically is made contiguous first.
bool is_transposed(const at::Tensor& tensor, const Operand& operand) {
  return tensor.dim() == 2 && !is_row_major(tensor) && is_row_major(tensor.t()) &&
         operand.rounding == Rounding::NearestEven;
}

at::Tensor as_batch(const at::Tensor& tensor) {
  const at::Tensor batch = readable(tensor.dim() == 2 ? tensor.unsqueeze(0) : tensor);
  return is_row_major(batch.size(0) == 0 ? batch.flatten(0, 1) : batch[0]) ? batch : batch.contiguous();
}

}  // namespace

at::Tensor operand_copy(const at::Tensor& tensor, const Operand& operand, Direction direction,
                        const CopySettings& settings) {
  const torch_hooks::Aside aside;
  if (is_transposed(tensor, operand)) return operand_copy(tensor.t(), operand, other(direction), settings).t();
  if (!tensor.is_cpu() && operand.scale == Scale::None) {
    at::Tensor cast = cast_on_device(tensor, operand.element);
    if (settings.losses != nullptr) settings.losses->add_cast(tensor, cast);
    return cast;
  }
  return copy_of_batch(as_batch(tensor), operand, direction, settings).view(tensor.sizes());
}

at::Tensor operand_amax(const at::Tensor& tensor, const Operand& operand, Direction direction) {
  const torch_hooks::Aside aside;
  return amax_of_batch(as_batch(tensor.dim() > 3 ? tensor.flatten(1) : tensor), operand, direction);
}

}  // namespace ampprof::products

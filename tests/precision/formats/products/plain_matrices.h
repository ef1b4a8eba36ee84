// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include "precision/formats/products/operand_copy.h"
#include "tests/precision/formats/quantize/plain.h"

/// Converts tensors to the matrices of quantize's definition, and back.
namespace ampprof::products::plain {

namespace definition = quantize::plain;

/// Returns the values of a matrix with any strides.
inline definition::Values values_of(const at::Tensor& matrix) {
  const at::Tensor here = matrix.to(at::kFloat).contiguous();
  const float* data = here.const_data_ptr<float>();
  return {here.size(0), here.size(1), {data, data + here.numel()}};
}

inline at::Tensor tensor_of(const definition::Values& values) {
  const at::Tensor tensor = at::empty({values.rows, values.columns}, at::kFloat);
  std::ranges::copy(values.data, tensor.mutable_data_ptr<float>());
  return tensor;
}

/// Returns the result that the definition gives for operand_copy() of one matrix. `batch` is the matrix's index in a
/// batch whose matrices are rounded one by one. `amax` sets the tensor's scale.
inline definition::Quantized copy_of(const at::Tensor& matrix, const Operand& operand, Direction direction,
                                     RandomKey random = {}, std::optional<float> amax = std::nullopt,
                                     std::uint64_t batch = 0) {
  const quantize::Settings settings{
      .amax = amax, .random = {random.seed, (random.stream << 24U) + batch}, .hadamard_signs = kHadamardSigns};
  return definition::quantize(values_of(matrix), operand, direction, settings);
}

inline at::Tensor rounded(const at::Tensor& matrix, const Operand& operand, Direction direction, RandomKey random = {},
                          std::optional<float> amax = std::nullopt, std::uint64_t batch = 0) {
  return tensor_of(copy_of(matrix, operand, direction, random, amax, batch).values);
}

}  // namespace ampprof::products::plain

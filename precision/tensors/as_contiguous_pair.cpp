// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/as_contiguous_pair.h"

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::tensors {
namespace {

at::Tensor without_negation(const at::Tensor& tensor) { return tensor.is_neg() ? tensor.resolve_neg() : tensor; }

/// Returns the tensor in a type that the kernels support: unchanged if DType has its type, else as float.
at::Tensor in_a_known_type(const at::Tensor& tensor) {
  return dtype_of(tensor) == DType::Unknown ? tensor.to(at::kFloat) : tensor;
}

at::Tensor single_or_double(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? tensor : tensor.to(at::kFloat);
}

}  // namespace

bool are_dense_alike(const at::Tensor& a, const at::Tensor& b) {
  return a.is_non_overlapping_and_dense() && b.is_non_overlapping_and_dense() && a.strides() == b.strides();
}

ContiguousPair as_contiguous_pair(const at::Tensor& output, const at::Tensor& reference) {
  if (!is_measurable(output)) return {};
  ContiguousPair pair{.output = without_negation(output), .reference = {}};
  if (is_measurable(reference) && reference.sizes() == output.sizes()) {
    pair.reference = without_negation(reference.to(output.device()));
  }
  if (!are_dense_alike(pair.output, pair.reference.defined() ? pair.reference : pair.output)) {
    pair.output = pair.output.contiguous();
    if (pair.reference.defined()) pair.reference = pair.reference.contiguous();
  }
  pair.output = in_a_known_type(pair.output);
  if (pair.reference.defined()) pair.reference = single_or_double(pair.reference);
  return pair;
}

std::pair<at::Tensor, at::Tensor> in_one_order(const at::Tensor& a, const at::Tensor& b) {
  std::pair<at::Tensor, at::Tensor> pair{in_a_known_type(without_negation(a)), in_a_known_type(without_negation(b))};
  if (!are_dense_alike(pair.first, pair.second)) pair = {pair.first.contiguous(), pair.second.contiguous()};
  return pair;
}

error::Elements elements(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return {tensor.const_data_ptr(), static_cast<std::size_t>(tensor.numel()), dtype_of(tensor)};
}

}  // namespace ampprof::tensors

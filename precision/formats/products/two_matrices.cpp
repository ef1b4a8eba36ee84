// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/products/two_matrices.h"

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>

namespace ampprof::products {
namespace {

at::Tensor swapped(const at::Tensor& tensor) { return tensor.transpose(-2, -1); }

bool is_leaf_with_gradient(const at::TensorBase& tensor) { return tensor.requires_grad() && tensor.is_leaf(); }

/// Tells whether a tensor is a leaf that requires a gradient, or a view of such a leaf. A view that was made with
/// gradients disabled does not require a gradient itself.
bool is_parameter(const at::Tensor& tensor) {
  return is_leaf_with_gradient(tensor) || (tensor.is_view() && is_leaf_with_gradient(tensor._base()));
}

std::vector<std::int64_t> sizes_of(c10::IntArrayRef batch, std::int64_t rows, std::int64_t columns) {
  std::vector<std::int64_t> sizes = batch.vec();
  sizes.insert(sizes.end(), {rows, columns});
  return sizes;
}

at::Tensor as_batch(const at::Tensor& tensor, c10::IntArrayRef batch) {
  return tensor.expand(sizes_of(batch, tensor.size(-2), tensor.size(-1)))
      .reshape({-1, tensor.size(-2), tensor.size(-1)});
}

c10::IntArrayRef batch_of(const at::Tensor& tensor) {
  return tensor.sizes().slice(0, static_cast<std::size_t>(tensor.dim() - 2));
}

}  // namespace

TwoMatrices::Weight TwoMatrices::weight_among(const at::Tensor& a, const at::Tensor& b) {
  if (b.dim() == 2 && is_parameter(b)) return Weight::Second;
  return a.dim() == 2 && is_parameter(a) ? Weight::First : Weight::None;
}

TwoMatrices::TwoMatrices(const at::Tensor& a, const at::Tensor& b, Weight weight) : weight_is_(weight) {
  if (weight == Weight::First) {
    flatten(swapped(b), swapped(a));
  } else if (b.dim() == 2) {
    flatten(a, b);
  } else {
    multiply_batches(a, b);
  }
}

void TwoMatrices::flatten(const at::Tensor& a, const at::Tensor& b) {
  input_ = a.dim() == 2 ? a : a.reshape({-1, a.size(-1)});
  weight_ = b.t();
  output_sizes_ = sizes_of(batch_of(a), a.size(-2), b.size(-1));
}

void TwoMatrices::multiply_batches(const at::Tensor& a, const at::Tensor& b) {
  const auto batch = at::infer_size(batch_of(a), batch_of(b));
  input_ = as_batch(a, batch);
  weight_ = swapped(as_batch(b, batch));
  output_sizes_ = sizes_of(batch, a.size(-2), b.size(-1));
}

at::Tensor TwoMatrices::product_from(const at::Tensor& output) const {
  const at::Tensor product = output.reshape(output_sizes_);
  return weight_is_ == Weight::First ? swapped(product) : product;
}

}  // namespace ampprof::products

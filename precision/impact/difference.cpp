// SPDX-License-Identifier: Apache-2.0
#include "precision/impact/difference.h"

#include <ATen/ATen.h>

#include <cmath>

#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::impact {
namespace {

at::Tensor widened(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? tensor : tensor.to(at::kFloat);
}

}  // namespace

at::Tensor difference(const at::Tensor& low, const at::Tensor& high) {
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor kept = at::sub(widened(low), high).to(at::kBFloat16);
  // A mask's -inf. Looked for in what is small already, and only there: most tensors are finite. A device is not asked.
  if (kept.is_cpu() && std::isfinite(at::sum(kept, at::kFloat).item<float>())) return kept;
  return kept.masked_fill_(at::eq(low, high), 0);
}

double inner_product(const at::Tensor& gradient, const at::Tensor& error) {
  const tensors::ObserverDisabledGuard guard;
  return at::sum(at::mul(widened(gradient), widened(error)), at::kDouble).item<double>();
}

bool is_finite(const at::Tensor& tensor) {
  const tensors::ObserverDisabledGuard guard;
  return at::isfinite(tensor).all().item<bool>();
}

}  // namespace ampprof::impact

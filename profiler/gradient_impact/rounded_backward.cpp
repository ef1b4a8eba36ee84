// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/rounded_backward.h"

#include <ATen/ATen.h>

#include <utility>

#include "precision/impact/difference.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/torch_hooks/cotangents.h"

namespace ampprof::profiler {

void RoundedBackward::add(std::size_t call, ErrorSource source, GradientProduct product) {
  const std::lock_guard lock(mutex_);
  products_[call].push_back({source, std::move(product)});
}

bool RoundedBackward::empty() const {
  const std::lock_guard lock(mutex_);
  return products_.empty();
}

std::vector<at::Tensor> RoundedBackward::gradients(const tape::Tape& forward, const std::vector<at::Tensor>& inputs,
                                                   const std::vector<tape::Root>& roots, double scale,
                                                   CotangentErrors& errors) const {
  const std::lock_guard lock(mutex_);
  std::vector<tape::Root> scaled = roots;
  for (tape::Root& root : scaled) root.factor *= scale;
  const auto see = [&](std::size_t call, c10::ArrayRef<c10::IValue> arguments, const c10::IValue& result) {
    const auto found = products_.find(call);
    if (found == products_.end()) return;
    for (const Product& one : found->second) {
      const tape::Origin origin = tape::origin_of(forward, call, one.product.argument);
      replace_output(result.toTensor(), one.product.argument,
                     [&errors, &one, origin, taken = arguments.vec()](const at::Tensor& gradient, const at::Tensor& exact) {
                       const tensors::ObserverDisabledGuard guard;
                       const at::Tensor low = one.product.find(taken, gradient).to(exact.scalar_type());
                       errors.add_at(origin, one.source, impact::difference(low, exact));
                       return low;
                     });
    }
  };
  std::vector<at::Tensor> found = tape::gradients_at(forward, inputs, scaled, see).of_inputs;
  const tensors::ObserverDisabledGuard guard;
  for (at::Tensor& gradient : found) {
    if (gradient.defined() && scale != 1.0) gradient = gradient.div(scale);
  }
  return found;
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/one_element_results.h"

#include <torch/csrc/autograd/variable.h>

#include "precision/tensors/plain_memory.h"

namespace ampprof::profiler {

void OneElementResults::add(const at::Tensor& result) {
  if (!result.defined() || !result.requires_grad() || !tensors::has_plain_memory(result) || result.numel() != 1) return;
  const std::lock_guard lock(mutex_);
  newest_[next_++ % newest_.size()] = Weak(result.getIntrusivePtr());
}

at::Tensor OneElementResults::at(const BackwardRoot& root) const {
  const std::lock_guard lock(mutex_);
  for (const auto& weak : newest_) {
    const at::Tensor result(weak ? weak->lock() : nullptr);
    const auto* meta = result.defined() ? torch::autograd::impl::get_autograd_meta(result) : nullptr;
    // grad_fn_ is read without creating it: backward() has already set it on its root, also on a view that was written.
    if (meta != nullptr && meta->grad_fn_.get() == root.node && meta->output_nr_ == root.output) return result;
  }
  return {};
}

}  // namespace ampprof::profiler

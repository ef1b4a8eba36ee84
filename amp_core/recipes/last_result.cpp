// SPDX-License-Identifier: Apache-2.0
#include "amp_core/recipes/last_result.h"

#include <atomic>
#include <optional>

namespace amp::recipes {
namespace {

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

/// A weak reference keeps the address from being used again, and none of the tensor's memory.
thread_local std::optional<WeakTensor> last;
std::atomic<bool> any = false;

}  // namespace

void note_result(const at::Tensor& result) {
  last.emplace(result.getIntrusivePtr());
  if (!any.load(std::memory_order_relaxed)) any.store(true, std::memory_order_relaxed);
}

bool any_result() { return any.load(std::memory_order_relaxed); }

bool is_last_result(const at::Tensor& tensor) {
  return last && tensor.defined() && last->_unsafe_get_target() == tensor.unsafeGetTensorImpl();
}

}  // namespace amp::recipes

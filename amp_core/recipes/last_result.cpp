// SPDX-License-Identifier: Apache-2.0
#include "amp_core/recipes/last_result.h"

#include <optional>

namespace amp::recipes {
namespace {

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

/// A weak reference keeps the address from being used again, and none of the tensor's memory.
thread_local std::optional<WeakTensor> last;

}  // namespace

void note_result(const at::Tensor& result) { last.emplace(result.getIntrusivePtr()); }

bool is_last_result(const at::Tensor& tensor) {
  return last && tensor.defined() && last->_unsafe_get_target() == tensor.unsafeGetTensorImpl();
}

}  // namespace amp::recipes

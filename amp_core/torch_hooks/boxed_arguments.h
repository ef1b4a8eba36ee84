// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <span>

namespace amp {

/// Returns the last `count` values of a stack: an op's arguments before the call, its results after it.
inline std::span<c10::IValue> last_values(torch::jit::Stack& stack, std::size_t count) {
  return {stack.data() + (stack.size() - count), count};
}

/// Calls `visit(const at::Tensor&)` for every defined tensor in a value, also in lists.
template <class Visit>
void visit_tensors(const c10::IValue& value, Visit&& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) visit(tensor);
  } else if (value.isOptionalTensorList()) {
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector()) {
      if (tensor && tensor->defined()) visit(*tensor);
    }
  }
}

/// Replaces every defined tensor in a value by `change(tensor)`. Makes new lists, since the caller may share the old
/// ones.
template <class Change>
void change_tensors(c10::IValue& value, Change&& change) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) value = change(value.toTensor());
  } else if (value.isTensorList()) {
    c10::List<at::Tensor> changed;
    for (const at::Tensor& tensor : value.toTensorVector()) changed.push_back(change(tensor));
    value = std::move(changed);
  } else if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> changed;
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector()) {
      changed.push_back(tensor && tensor->defined() ? std::optional(change(*tensor)) : tensor);
    }
    value = std::move(changed);
  }
}

}  // namespace amp

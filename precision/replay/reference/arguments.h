// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <optional>

namespace ampprof::reference {

/// Calls `visit` with every tensor of `value`, also those in a list.
template <typename Visit>
void visit_tensors(const c10::IValue& value, Visit&& visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (value.isTensorList() || value.isOptionalTensorList()) {
    for (const c10::IValue& element : value.toListRef()) {
      if (element.isTensor()) visit(element.toTensor());
    }
  }
}

/// Returns `value` with every tensor in it replaced by `change` of it. Returns values without tensors unchanged.
c10::IValue change_tensors(const c10::IValue& value, c10::function_ref<at::Tensor(const at::Tensor&)> change);

/// Tells whether a call in `precision` (kFloat or kDouble) converts this type. FP64 always stays.
bool is_below(at::ScalarType type, at::ScalarType precision);
bool is_reduced(const at::Tensor& tensor);
bool is_floating(const at::Tensor& tensor);
bool any_reduced(c10::ArrayRef<c10::IValue> values);
bool any_floating(c10::ArrayRef<c10::IValue> values);

/// Returns the GPU of a tensor among the values; empty if none is on a GPU.
std::optional<at::Device> cuda_device_of(c10::ArrayRef<c10::IValue> values);

/// Tells whether every defined tensor has plain memory (plain_memory.h). Others cannot be converted and run again.
bool all_plain(c10::ArrayRef<c10::IValue> values);

/// Returns the argument of this name; none if the op has no such argument.
c10::IValue argument_named(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments, const char* name);

/// Tells whether the schema marks this argument as written.
bool is_written(const c10::Argument& argument);
/// Tells whether the call writes this argument although some schemas do not say so: running statistics of
/// normalizations.
bool is_running_statistic(const c10::Argument& argument);

/// Tells whether it controls an op and is not a value of the model: scale and overflow flag of fused optimizers.
/// Kernels read these as FP32 whatever type the others have.
bool is_scale_or_flag(const c10::Argument& argument);

/// Makes a tensor for a second call from one of the first call; may return the same.
using TensorChange = c10::function_ref<at::Tensor(const c10::Argument&, const at::Tensor&)>;

/// Prepares an argument for a second call: changes floating tensors and copies tensors that may be written.
c10::IValue for_replay(const c10::Argument& argument, const c10::IValue& value, TensorChange change);

/// Prepares an argument for a call in `precision`: converts floating tensors below it, and replaces arguments that are
/// such a type.
c10::IValue in_precision(const c10::Argument& argument, const c10::IValue& value, at::ScalarType precision);

}  // namespace ampprof::reference

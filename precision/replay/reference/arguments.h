// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <optional>

namespace ampprof::reference {

/// Calls `visit` with every tensor in `value`, including those in a list.
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

/// Returns `value` with each tensor t replaced by change(t). Values without tensors stay unchanged.
c10::IValue change_tensors(const c10::IValue& value, c10::function_ref<at::Tensor(const at::Tensor&)> change);

/// Tells whether a call in `precision` (kFloat or kDouble) converts tensors of this type. FP64 is never converted.
bool is_below(at::ScalarType type, at::ScalarType precision);
bool is_reduced(const at::Tensor& tensor);
bool is_floating(const at::Tensor& tensor);
bool any_reduced(c10::ArrayRef<c10::IValue> values);
bool any_floating(c10::ArrayRef<c10::IValue> values);

/// Returns the device of a CUDA tensor among the values; empty if there is none.
std::optional<at::Device> cuda_device_of(c10::ArrayRef<c10::IValue> values);

/// Tells whether every defined tensor has plain memory (plain_memory.h). A call with other tensors cannot be converted
/// and run again.
bool all_plain(c10::ArrayRef<c10::IValue> values);

/// Returns the argument with this name; None if the op has no such argument.
c10::IValue argument_named(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments, const char* name);

/// Tells whether the schema marks this argument as written.
bool is_written(const c10::Argument& argument);
/// Tells whether the argument holds running statistics of a normalization, which the call writes although some schemas
/// do not say so.
bool is_running_statistic(const c10::Argument& argument);

/// Tells whether the argument is a scale or an overflow flag of a fused optimizer. Kernels read these as FP32 whatever
/// the type of the other arguments.
bool is_scale_or_flag(const c10::Argument& argument);

/// Makes the tensor for a second call from the tensor of the first call; may return the same tensor.
using TensorChange = c10::function_ref<at::Tensor(const c10::Argument&, const at::Tensor&)>;

/// Prepares an argument for a second call: changes floating tensors and copies tensors that may be written.
c10::IValue for_replay(const c10::Argument& argument, const c10::IValue& value, TensorChange change);

/// Prepares an argument for a call in `precision`: converts floating tensors below this precision, and replaces a dtype
/// argument that is below this precision.
c10::IValue in_precision(const c10::Argument& argument, const c10::IValue& value, at::ScalarType precision);

}  // namespace ampprof::reference

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <optional>

namespace ampprof::reference {

/// Calls `visit` with every tensor of `value`: itself, or those of a list.
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

/// `value` with every tensor in it replaced by what `change` makes of it; values without tensors are returned as they
/// are.
c10::IValue change_tensors(const c10::IValue& value, c10::function_ref<at::Tensor(const at::Tensor&)> change);

/// Whether a call in `precision` (kFloat or kDouble) converts this type. FP64 always stays.
bool is_below(at::ScalarType type, at::ScalarType precision);
bool is_reduced(const at::Tensor& tensor);
bool is_floating(const at::Tensor& tensor);
bool any_reduced(c10::ArrayRef<c10::IValue> values);
bool any_floating(c10::ArrayRef<c10::IValue> values);

/// Returns the GPU that a tensor among the values is on; empty where all are elsewhere.
std::optional<at::Device> cuda_device_of(c10::ArrayRef<c10::IValue> values);

/// Whether every defined tensor has plain memory (plain_memory.h): others cannot simply be converted and run again.
bool all_plain(c10::ArrayRef<c10::IValue> values);

/// Returns the argument of this name; none where the op has no such argument.
c10::IValue argument_named(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments, const char* name);

/// The schema says that the call writes this argument.
bool is_written(const c10::Argument& argument);
/// It is written although some schemas do not say so: the running statistics of normalizations.
bool is_running_statistic(const c10::Argument& argument);

/// It steers an op and is no value of the model: the scale and the overflow flag of fused optimizers. Kernels read it
/// as FP32 whatever type the rest has.
bool is_scale_or_flag(const c10::Argument& argument);

/// Makes a tensor for a second call of one that the first received; may return the same.
using TensorChange = c10::function_ref<at::Tensor(const c10::Argument&, const at::Tensor&)>;

/// One argument, ready for a second call: floating tensors changed, what may be written copied.
c10::IValue for_replay(const c10::Argument& argument, const c10::IValue& value, TensorChange change);

/// Prepares an argument for a call in `precision`: floating tensors below it converted, types that are themselves an
/// argument replaced.
c10::IValue in_precision(const c10::Argument& argument, const c10::IValue& value, at::ScalarType precision);

}  // namespace ampprof::reference

// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/arguments.h"

#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>

#include "precision/tensors/plain_memory.h"

namespace ampprof::reference {
namespace {

bool takes_a_type(const c10::Argument& argument) {
  c10::TypePtr type = argument.real_type();
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  return type->kind() == c10::TypeKind::ScalarTypeType;
}

template <typename Element>
c10::IValue changed_list(const c10::IValue& value, c10::function_ref<at::Tensor(const at::Tensor&)> change) {
  c10::List<Element> changed;
  changed.reserve(value.toListRef().size());
  for (const c10::IValue& element : value.toListRef()) {
    changed.push_back(element.isTensor() ? Element(change(element.toTensor())) : Element());
  }
  return changed;
}

}  // namespace

c10::IValue change_tensors(const c10::IValue& value, c10::function_ref<at::Tensor(const at::Tensor&)> change) {
  if (value.isTensor()) return change(value.toTensor());
  if (value.isTensorList()) return changed_list<at::Tensor>(value, change);
  if (value.isOptionalTensorList()) return changed_list<std::optional<at::Tensor>>(value, change);
  return value;
}

bool is_reduced(const at::Tensor& tensor) {
  return tensor.defined() && c10::isReducedFloatingType(tensor.scalar_type());
}

bool is_below(at::ScalarType type, at::ScalarType precision) {
  return c10::isReducedFloatingType(type) || (type == at::kFloat && precision == at::kDouble);
}

bool is_floating(const at::Tensor& tensor) { return tensor.defined() && c10::isFloatingType(tensor.scalar_type()); }

bool any_reduced(c10::ArrayRef<c10::IValue> values) {
  bool found = false;
  for (const auto& value : values) visit_tensors(value, [&](const at::Tensor& t) { found = found || is_reduced(t); });
  return found;
}

bool any_floating(c10::ArrayRef<c10::IValue> values) {
  bool found = false;
  for (const auto& value : values) visit_tensors(value, [&](const at::Tensor& t) { found = found || is_floating(t); });
  return found;
}

std::optional<at::Device> cuda_device_of(c10::ArrayRef<c10::IValue> values) {
  std::optional<at::Device> device;
  for (const auto& value : values) {
    visit_tensors(value, [&](const at::Tensor& tensor) {
      if (tensor.defined() && tensor.is_cuda()) device = tensor.device();
    });
  }
  return device;
}

bool all_plain(c10::ArrayRef<c10::IValue> values) {
  bool plain = true;
  for (const auto& value : values) {
    visit_tensors(value, [&](const at::Tensor& t) { plain = plain && (!t.defined() || tensors::has_plain_memory(t)); });
  }
  return plain;
}

c10::IValue argument_named(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments, const char* name) {
  const auto place = schema.argumentIndexWithName(name);
  return place && static_cast<std::size_t>(*place) < arguments.size() ? arguments[static_cast<std::size_t>(*place)]
                                                                      : c10::IValue();
}

bool is_written(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

bool is_running_statistic(const c10::Argument& argument) { return argument.name().starts_with("running_"); }

bool is_scale_or_flag(const c10::Argument& argument) {
  const std::string& name = argument.name();
  return name == "found_inf" || name == "grad_scale" || name == "inv_scale" || name == "state_steps";
}

c10::IValue for_replay(const c10::Argument& argument, const c10::IValue& value, TensorChange change) {
  const bool must_copy = is_written(argument) || is_running_statistic(argument);
  return change_tensors(value, [&](const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    if (!is_floating(tensor) || is_scale_or_flag(argument)) return must_copy ? tensor.clone() : tensor;
    // An output argument needs no values, and the op may resize an empty tensor.
    if (argument.is_out()) return change(argument, at::empty({0}, tensor.options().requires_grad(false)));
    const at::Tensor changed = change(argument, tensor);
    return must_copy && changed.is_alias_of(tensor) ? changed.clone() : changed;
  });
}

c10::IValue in_precision(const c10::Argument& argument, const c10::IValue& value, at::ScalarType precision) {
  if (value.isInt() && takes_a_type(argument)) {
    const auto type = static_cast<at::ScalarType>(value.toInt());
    return static_cast<std::int64_t>(is_below(type, precision) ? precision : type);
  }
  // softmax(half_to_float) takes half and returns float; on float only the plain softmax exists.
  if (value.isBool() && argument.name() == "half_to_float") return false;
  return for_replay(argument, value, [&](const c10::Argument& /*argument*/, const at::Tensor& tensor) {
    return is_below(tensor.scalar_type(), precision) ? tensor.to(precision) : tensor;
  });
}

}  // namespace ampprof::reference

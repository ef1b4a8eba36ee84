// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/factor_of.h"

#include <ATen/ATen.h>

#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/call.h"

namespace ampprof::profiler {
namespace {

bool is_one_value(const at::Tensor& tensor) {
  return tensor.defined() && tensors::has_plain_memory(tensor) && tensor.numel() == 1;
}

/// Returns the value of a factor; empty if reading it would wait for a device.
std::optional<double> value_of(const at::Tensor& factor) {
  if (!factor.is_cpu() || c10::isComplexType(factor.scalar_type())) return std::nullopt;
  const tensors::ObserverDisabledGuard guard;
  return factor.item().toDouble();
}

std::optional<double> number_in(const c10::IValue& value) {
  if (value.isScalar() && !value.toScalar().isComplex()) return value.toScalar().toDouble();
  if (value.isTensor() && is_one_value(value.toTensor())) return value_of(value.toTensor());
  return std::nullopt;
}

/// Returns the identity of a tensor factor; null for a plain number.
const void* identity_of(const c10::IValue& factor) {
  if (!factor.isTensor()) return nullptr;
  const c10::TensorImpl* tensor = factor.toTensor().unsafeGetTensorImpl();
  return tensor->is_wrapped_number() ? nullptr : tensor;
}

}  // namespace

std::optional<MultipliedValue> multiplied_value_of(const CallContext& call) {
  const auto arguments = call.arguments();
  if (!(call.info.multiplies || call.info.divides) || arguments.size() != 2) return std::nullopt;
  const bool is_second = call.info.multiplies && arguments[1].isTensor() && arguments[1].toTensor().requires_grad();
  const c10::IValue& operand = arguments[is_second ? 1 : 0];
  const c10::IValue& factor = arguments[is_second ? 0 : 1];
  if (!operand.isTensor() || !is_one_value(operand.toTensor()) || !operand.toTensor().requires_grad()) {
    return std::nullopt;
  }
  if (factor.isTensor() && (!is_one_value(factor.toTensor()) || factor.toTensor().requires_grad())) return std::nullopt;
  if (call.info.divides) {
    const auto number = number_in(factor);
    return number ? std::optional(MultipliedValue{operand.toTensor(), {.value = 1.0 / *number}}) : std::nullopt;
  }
  return MultipliedValue{operand.toTensor(), {.tensor = identity_of(factor), .value = number_in(factor)}};
}

std::optional<double> multiplier_of(const CallContext& call) {
  const auto arguments = call.arguments();
  if (!(call.info.multiplies || call.info.divides) || arguments.size() < 2) return std::nullopt;
  const auto number = number_in(arguments[1]);
  if (!number || *number == 0.0) return std::nullopt;
  return call.info.divides ? 1.0 / *number : *number;
}

}  // namespace ampprof::profiler

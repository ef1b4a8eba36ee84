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

/// The value of a factor that can be read without waiting for a device.
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

}  // namespace

std::optional<LossFactor> factor_of(const CallContext& call) {
  const auto arguments = call.arguments();
  if (!call.info.multiplies || arguments.size() != 2 || !arguments[0].isTensor()) return std::nullopt;
  if (!is_one_value(arguments[0].toTensor())) return std::nullopt;
  if (arguments[1].isScalar()) return LossFactor{.value = number_in(arguments[1])};
  if (!arguments[1].isTensor() || !is_one_value(arguments[1].toTensor())) return std::nullopt;
  const at::Tensor& factor = (arguments[0].toTensor().requires_grad() ? arguments[1] : arguments[0]).toTensor();
  if (factor.requires_grad()) return std::nullopt;
  const bool is_number = factor.unsafeGetTensorImpl()->is_wrapped_number();
  return LossFactor{.tensor = is_number ? nullptr : factor.unsafeGetTensorImpl(), .value = value_of(factor)};
}

std::optional<double> multiplier_of(const CallContext& call) {
  const auto arguments = call.arguments();
  if (!(call.info.multiplies || call.info.divides) || arguments.size() < 2) return std::nullopt;
  const auto number = number_in(arguments[1]);
  if (!number || *number == 0.0) return std::nullopt;
  return call.info.divides ? 1.0 / *number : *number;
}

}  // namespace ampprof::profiler

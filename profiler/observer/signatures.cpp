// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/signatures.h"

#include <ATen/ATen.h>

#include "profiler/observer/call.h"
#include "reports/records/signature.h"

namespace ampprof::profiler {
namespace {

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  hash ^= hash >> 29;
}

std::int64_t integer_at(c10::ArrayRef<c10::IValue> arguments, int place) {
  const c10::IValue& value = arguments[static_cast<std::size_t>(place)];
  if (value.isInt()) return value.toInt();
  return value.isBool() && value.toBool() ? 1 : 0;
}

void look_at(const at::Tensor& tensor, ArgumentsSeen& seen) {
  const c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  if (seen.first_tensor == nullptr) seen.first_tensor = impl;
  mix(seen.hash, static_cast<std::uint64_t>(tensor.scalar_type()) + 1);
  seen.has_grad = seen.has_grad || impl->requires_grad();
  if (seen.dtype_in == 0 && at::isFloatingType(tensor.scalar_type())) {
    seen.dtype_in = static_cast<std::uint8_t>(dtype_of(tensor));
  }
  if (tensor.is_sparse() || tensor.is_nested()) return;
  for (const auto size : tensor.sizes()) mix(seen.hash, static_cast<std::uint64_t>(size) + 64);
}

TensorInfo describe(const at::Tensor& tensor) {
  if (tensor.is_sparse() || tensor.is_nested()) return {dtype_of(tensor), {}};
  return {dtype_of(tensor), tensor.sizes().vec()};
}

}  // namespace

ArgumentsSeen look_at_arguments(const Call& call) {
  ArgumentsSeen seen;
  const auto arguments = call.arguments();
  for_each_tensor(arguments, [&](const at::Tensor& tensor) { look_at(tensor, seen); });
  if (call.info.writes_first && !arguments.empty()) {
    const c10::IValue* first = &arguments[0];
    if (first->isList() && !first->toListRef().empty()) first = &first->toListRef()[0];
    seen.writes_leaf = first->isTensor() && first->toTensor().defined() && first->toTensor().requires_grad() &&
                       first->toTensor().is_leaf();
  }
  if (call.info.groups_argument >= 0) mix(seen.hash, integer_at(arguments, call.info.groups_argument) + 7);
  if (call.info.transposed_argument >= 0) mix(seen.hash, integer_at(arguments, call.info.transposed_argument) + 3);
  mix(seen.hash, static_cast<std::uint64_t>(call.info.id) << 32);
  return seen;
}

std::string signature_text(const Call& call) {
  Signature signature;
  for (const c10::IValue& value : call.arguments()) {
    if (value.isNone()) continue;
    if (value.isTensor() && !value.toTensor().defined()) {
      signature.tensors.push_back({});
    } else {
      for_each_tensor(value, [&](const at::Tensor& tensor) { signature.tensors.push_back(describe(tensor)); });
    }
  }
  if (call.info.groups_argument >= 0) {
    const auto groups = integer_at(call.arguments(), call.info.groups_argument);
    signature.attributes.emplace_back("groups", std::to_string(groups));
  }
  if (call.info.transposed_argument >= 0 && integer_at(call.arguments(), call.info.transposed_argument) != 0) {
    signature.attributes.emplace_back("transposed", "1");
  }
  return to_text(signature);
}

}  // namespace ampprof::profiler

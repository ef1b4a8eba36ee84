// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/signatures.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "precision/tensors/capture.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/call.h"
#include "reports/records/signature.h"

namespace ampprof::profiler {
namespace {

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  hash ^= hash >> 29;
}

const c10::IValue& value_of(const Attribute& attribute, c10::ArrayRef<c10::IValue> arguments) {
  return arguments[static_cast<std::size_t>(attribute.place)];
}

/// Returns the numbers of an integer, a flag or a list of integers; an empty list for any other value.
std::vector<std::int64_t> numbers_in(const c10::IValue& value) {
  if (value.isInt()) return {value.toInt()};
  if (value.isBool()) return {value.toBool() ? 1 : 0};
  return value.isIntList() ? value.toIntVector() : std::vector<std::int64_t>{};
}

/// Returns an attribute as text: a list of equal numbers as one number ("2"), other lists as "2,1", strings unchanged
/// ("same").
std::string text_of(const c10::IValue& value) {
  if (value.isString()) return value.toStringRef();
  auto numbers = numbers_in(value);
  if (numbers.empty()) return "";
  if (std::ranges::count(numbers, numbers.front()) == std::ssize(numbers)) numbers.resize(1);
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

/// Returns the largest power of two that divides the address, at most kFullAlignment.
int alignment_of(const at::Tensor& tensor) {
  if (!tensor.has_storage()) return kFullAlignment;
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) | kFullAlignment;
  return static_cast<int>(address & -address);
}

void look_at(const at::Tensor& tensor, bool with_layout, ArgumentsSeen& seen) {
  const c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  if (seen.first_tensor == nullptr) seen.first_tensor = impl;
  mix(seen.hash, static_cast<std::uint64_t>(tensor.scalar_type()) + 1);
  seen.has_grad = seen.has_grad || impl->requires_grad();
  seen.on_gpu = seen.on_gpu || tensor.is_cuda();
  if (seen.dtype_in == 0 && at::isFloatingType(tensor.scalar_type())) {
    seen.dtype_in = static_cast<std::uint8_t>(tensors::dtype_of(tensor));
  }
  if (const std::string_view wrapper = tensors::kind_of_wrapper(tensor); !wrapper.empty()) {
    if (seen.wrapper.empty()) seen.wrapper = wrapper;
    mix(seen.hash, std::hash<std::string_view>{}(wrapper));
    return;
  }
  for (const auto size : tensor.sizes()) mix(seen.hash, static_cast<std::uint64_t>(size) + 64);
  if (!with_layout || tensor.layout() != c10::kStrided) return;
  mix(seen.hash, static_cast<std::uint64_t>(alignment_of(tensor)));
  if (tensor.is_contiguous()) return;
  for (const auto stride : tensor.strides()) mix(seen.hash, static_cast<std::uint64_t>(stride) + 128);
}

TensorInfo describe(const at::Tensor& tensor, bool with_layout) {
  if (!tensors::kind_of_wrapper(tensor).empty()) return {tensors::dtype_of(tensor), {}};
  TensorInfo info{tensors::dtype_of(tensor), tensor.sizes().vec()};
  if (!with_layout || tensor.layout() != c10::kStrided) return info;
  if (!tensor.is_contiguous()) info.strides = tensor.strides().vec();
  info.alignment = alignment_of(tensor);
  return info;
}

}  // namespace

ArgumentsSeen look_at_arguments(const CallContext& call) {
  ArgumentsSeen seen;
  const auto arguments = call.arguments();
  seen.on_gpu = std::ranges::any_of(
      arguments, [](const c10::IValue& value) { return value.isDevice() && value.toDevice().is_cuda(); });
  for_each_tensor(arguments, [&](const at::Tensor& tensor) { look_at(tensor, call.info.is_matmul, seen); });
  if (call.info.writes_first && !arguments.empty()) {
    const c10::IValue* first = &arguments[0];
    if (first->isList() && !first->toListRef().empty()) first = &first->toListRef()[0];
    if (first->isTensor() && first->toTensor().defined()) {
      const at::Tensor& written = first->toTensor();
      seen.written = written.unsafeGetTensorImpl();
      seen.writes_leaf = written.requires_grad() && written.is_leaf();
    }
  }
  for (const Attribute& attribute : call.info.attributes) {
    for (const auto number : numbers_in(value_of(attribute, arguments))) mix(seen.hash, number + 7);
  }
  mix(seen.hash, static_cast<std::uint64_t>(call.info.id) << 32);
  return seen;
}

bool is_captured(c10::ArrayRef<c10::IValue> values) {
  bool found = std::ranges::any_of(
      values, [](const c10::IValue& value) { return value.isDevice() && tensors::is_captured(value.toDevice()); });
  for_each_tensor(values, [&](const at::Tensor& tensor) { found = found || tensors::is_captured(tensor.device()); });
  return found;
}

bool copies_without_waiting(const CallContext& call) {
  if (call.info.non_blocking < 0) return false;
  const c10::IValue& is_asked = call.arguments()[static_cast<std::size_t>(call.info.non_blocking)];
  if (!is_asked.isBool() || !is_asked.toBool()) return false;
  bool is_on_gpu = false;
  for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) { is_on_gpu = is_on_gpu || tensor.is_cuda(); });
  return is_on_gpu;
}

std::string signature_text(const CallContext& call) {
  Signature signature;
  for (const c10::IValue& value : call.arguments()) {
    if (value.isNone()) continue;
    if (value.isTensor() && !value.toTensor().defined()) {
      signature.tensors.push_back({});
    } else {
      for_each_tensor(
          value, [&](const at::Tensor& tensor) { signature.tensors.push_back(describe(tensor, call.info.is_matmul)); });
    }
  }
  for (const Attribute& attribute : call.info.attributes) {
    const std::string text = text_of(value_of(attribute, call.arguments()));
    const bool is_usual =
        text.empty() || (text == "0" && (attribute.name == "transposed" || attribute.name == "output_padding"));
    if (!is_usual) signature.attributes.emplace_back(attribute.name, text);
  }
  return to_text(signature);
}

}  // namespace ampprof::profiler

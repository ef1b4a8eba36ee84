// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/fp32_mode.h"

#include <algorithm>
#include <optional>

#include "precision/replay/reference/arguments.h"
#include "precision/torch_hooks/fp32_precision.h"

namespace ampprof::reference {
namespace {

using torch_hooks::Fp32Op;

bool has_any(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// Returns the group of ops with a precision setting in LibTorch; empty for ops without matmuls.
std::optional<Fp32Op> kind_of(std::string_view name) {
  if (has_any(name, {"conv"})) return Fp32Op::Convolution;
  if (has_any(name, {"lstm", "gru", "rnn"})) return Fp32Op::Recurrent;
  if (has_any(name, {"mm", "matmul", "linear", "attention", "einsum", "tensordot", "mv", "dot", "cdist"})) {
    return Fp32Op::Matmul;
  }
  return std::nullopt;
}

}  // namespace

bool may_shorten_fp32(std::string_view name, c10::DeviceType device) {
  const auto kind = kind_of(name);
  return kind && torch_hooks::fp32_precision(device, *kind) != torch_hooks::Fp32Precision::Full;
}

at::ScalarType unshortened(std::string_view name, c10::ArrayRef<c10::IValue> arguments, at::ScalarType precision) {
  const auto device = cuda_device_of(arguments) ? c10::DeviceType::CUDA : c10::DeviceType::CPU;
  return may_shorten_fp32(name, device) ? at::kDouble : precision;
}

}  // namespace ampprof::reference

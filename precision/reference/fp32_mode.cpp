// SPDX-License-Identifier: Apache-2.0
#include "precision/reference/fp32_mode.h"

#include <ATen/Context.h>

#include <algorithm>
#include <optional>

#include "precision/reference/arguments.h"

namespace ampprof::reference {
namespace {

bool has_any(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// The kinds that LibTorch has a setting for; empty for ops that multiply no matrices.
std::optional<at::Float32Op> kind_of(std::string_view name) {
  if (has_any(name, {"conv"})) return at::Float32Op::CONV;
  if (has_any(name, {"lstm", "gru", "rnn"})) return at::Float32Op::RNN;
  if (has_any(name, {"mm", "matmul", "linear", "attention", "einsum", "tensordot", "mv", "dot", "cdist"})) {
    return at::Float32Op::MATMUL;
  }
  return std::nullopt;
}

}  // namespace

bool may_shorten_fp32(std::string_view name, c10::DeviceType device) {
  const auto kind = kind_of(name);
  if (!kind) return false;
  const auto backend = device == c10::DeviceType::CUDA ? at::Float32Backend::CUDA : at::Float32Backend::MKLDNN;
  const at::Float32Precision precision = at::globalContext().float32Precision(backend, *kind);
  return precision == at::Float32Precision::TF32 || precision == at::Float32Precision::BF16;
}

at::ScalarType unshortened(std::string_view name, c10::ArrayRef<c10::IValue> arguments, at::ScalarType precision) {
  const auto device = cuda_device_of(arguments) ? c10::DeviceType::CUDA : c10::DeviceType::CPU;
  return may_shorten_fp32(name, device) ? at::kDouble : precision;
}

}  // namespace ampprof::reference

// SPDX-License-Identifier: Apache-2.0
// LibTorch identifies backend, op group and precision with enumerators; release 2.9 uses strings. Their types are
// deduced from LibTorch's functions.
#include "precision/torch_hooks/fp32_precision.h"

#include <ATen/Context.h>

#include <type_traits>

namespace ampprof::torch_hooks {
namespace {

template <class Backend>
Backend backend_of(c10::DeviceType device) {
  const bool on_gpu = device == c10::DeviceType::CUDA;
  if constexpr (std::is_enum_v<Backend>) {
    return on_gpu ? Backend::CUDA : Backend::MKLDNN;
  } else {
    return on_gpu ? "cuda" : "mkldnn";
  }
}

template <class Op>
Op kind_of(Fp32Op op) {
  if constexpr (std::is_enum_v<Op>) {
    return op == Fp32Op::Matmul ? Op::MATMUL : op == Fp32Op::Convolution ? Op::CONV : Op::RNN;
  } else {
    return op == Fp32Op::Matmul ? "matmul" : op == Fp32Op::Convolution ? "conv" : "rnn";
  }
}

template <class Precision>
Precision named(Fp32Precision precision) {
  if constexpr (std::is_enum_v<Precision>) {
    return precision == Fp32Precision::Tf32   ? Precision::TF32
           : precision == Fp32Precision::Bf16 ? Precision::BF16
                                              : Precision::NONE;
  } else {
    return precision == Fp32Precision::Tf32 ? "tf32" : precision == Fp32Precision::Bf16 ? "bf16" : "none";
  }
}

template <class Precision, class Backend, class Op>
Fp32Precision ask(Precision (at::Context::*ask_for)(Backend, Op) const, c10::DeviceType device, Fp32Op op) {
  const auto backend = backend_of<std::decay_t<Backend>>(device);
  const Precision found = (at::globalContext().*ask_for)(backend, kind_of<std::decay_t<Op>>(op));
  if (found == named<Precision>(Fp32Precision::Tf32)) return Fp32Precision::Tf32;
  return found == named<Precision>(Fp32Precision::Bf16) ? Fp32Precision::Bf16 : Fp32Precision::Full;
}

template <class Backend, class Op, class Precision>
void set(void (at::Context::*set_to)(Backend, Op, Precision), c10::DeviceType device, Fp32Op op, Fp32Precision to) {
  (at::globalContext().*set_to)(backend_of<std::decay_t<Backend>>(device), kind_of<std::decay_t<Op>>(op),
                                named<std::decay_t<Precision>>(to));
}

}  // namespace

Fp32Precision fp32_precision(c10::DeviceType device, Fp32Op op) {
  return ask(&at::Context::float32Precision, device, op);
}

bool may_shorten(c10::ScalarType type, c10::DeviceType device, Fp32Op op) {
  return type == c10::ScalarType::Float && fp32_precision(device, op) != Fp32Precision::Full;
}

void set_fp32_precision(c10::DeviceType device, Fp32Op op, Fp32Precision precision) {
  set(&at::Context::setFloat32Precision, device, op, precision);
}

}  // namespace ampprof::torch_hooks

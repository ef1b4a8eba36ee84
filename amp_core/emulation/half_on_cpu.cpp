// SPDX-License-Identifier: Apache-2.0
#include "amp_core/emulation/half_on_cpu.h"

#include <ATen/Functions.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <array>
#include <mutex>

#include "amp_core/torch_hooks/boxed_arguments.h"
#include "amp_core/torch_hooks/replaced_kernel.h"

namespace amp {
namespace {

struct EmulatedOp {
  const char* name;
  const char* overload = "";
  int float_argument = -1;  ///< this one is FP32 even in a half call (attention's logsumexp)
  int half_results = 8;     ///< results after this many stay FP32
};

constexpr EmulatedOp kOps[]{
    {"aten::mm"},
    {"aten::mm", "out"},
    {"aten::addmm"},
    {"aten::addmm", "out"},
    {"aten::addmm_"},
    {"aten::bmm"},
    {"aten::bmm", "out"},
    {"aten::baddbmm"},
    {"aten::baddbmm", "out"},
    {"aten::baddbmm_"},
    {"aten::addbmm"},
    {"aten::addbmm", "out"},
    {"aten::addbmm_"},
    {"aten::mv"},
    {"aten::mv", "out"},
    {"aten::addmv"},
    {"aten::addmv", "out"},
    {"aten::addmv_"},
    {"aten::dot"},
    {"aten::vdot"},
    {"aten::convolution"},
    {"aten::_convolution"},
    {"aten::convolution_backward"},
    {.name = "aten::_scaled_dot_product_flash_attention_for_cpu", .half_results = 1},
    {.name = "aten::_scaled_dot_product_flash_attention_for_cpu_backward", .float_argument = 5},
};

/// How a written argument gets its value.
enum class Writes { Nothing, InPlace, Out };

class EmulatedKernel final : public c10::OperatorKernel {
 public:
  EmulatedKernel(ReplacedKernel replaced, const c10::FunctionSchema& schema, const EmulatedOp& op)
      : replaced_(std::move(replaced)),
        arguments_(schema.arguments().size()),
        results_(schema.returns().size()),
        float_argument_(op.float_argument),
        half_results_(op.half_results) {
    for (std::size_t i = 0; i < arguments_; ++i) {
      const auto& argument = schema.arguments()[i];
      if (argument.alias_info() == nullptr || !argument.alias_info()->isWrite()) continue;
      written_ = static_cast<int>(i);
      writes_ = argument.is_out() ? Writes::Out : Writes::InPlace;
    }
  }

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const auto arguments = last_values(*stack, arguments_);
    if (!all_half(arguments)) return replaced_.call(op, keys, stack);
    const at::Tensor written = writes_ == Writes::Nothing ? at::Tensor() : arguments[written_].toTensor();
    for (auto& argument : arguments) {
      change_tensors(argument, [](const at::Tensor& tensor) { return to(tensor, at::kHalf, at::kFloat); });
    }
    if (writes_ == Writes::Out) arguments[written_] = at::empty({0}, written.options().dtype(at::kFloat));
    replaced_.call(op, keys, stack);
    finish(last_values(*stack, results_), written);
  }

 private:
  static at::Tensor to(const at::Tensor& tensor, at::ScalarType from, at::ScalarType type) {
    return tensor.scalar_type() == from ? tensor.to(type) : tensor;
  }

  /// Whether the floating arguments are half, and there is one. Looks at no value: this is all that other calls pay.
  bool all_half(std::span<const c10::IValue> arguments) const {
    bool any = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].isTensor()) continue;
      const at::Tensor& tensor = arguments[i].toTensor();
      if (!tensor.defined() || !tensor.is_floating_point() || static_cast<int>(i) == float_argument_) continue;
      if (tensor.scalar_type() != at::kHalf) return false;
      any = true;
    }
    return any;
  }

  void finish(std::span<c10::IValue> results, const at::Tensor& written) const {
    if (!written.defined()) {
      for (auto& result : results.first(std::min<std::size_t>(results.size(), half_results_))) {
        change_tensors(result, [](const at::Tensor& tensor) { return to(tensor, at::kFloat, at::kHalf); });
      }
      return;
    }
    const at::Tensor computed = results.front().toTensor();
    if (writes_ == Writes::Out) written.resize_(computed.sizes());
    written.copy_(computed);
    results.front() = written;
  }

  ReplacedKernel replaced_;
  std::size_t arguments_;
  std::size_t results_;
  int float_argument_;
  int half_results_;
  int written_ = -1;
  Writes writes_ = Writes::Nothing;
};

}  // namespace

void emulate_half_on_cpu() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const EmulatedOp& emulated : kOps) {
      const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(emulated.name, emulated.overload);
      override_kernel<EmulatedKernel>(op, c10::DispatchKey::CPU, op.schema(), emulated);
    }
  });
}

}  // namespace amp

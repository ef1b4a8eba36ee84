// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/tape/update_ops.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "precision/replay/reference/arguments.h"

namespace ampprof::tape {
namespace {

/// Arguments of a call by name.
class Arguments {
 public:
  Arguments(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) : schema_(schema), stack_(stack) {}

  std::vector<at::Tensor> list(const char* name) const { return at(name).toTensorVector(); }
  bool flag(const char* name) const { return at(name).toBool(); }
  /// Returns an optional tensor; undefined if the call omits it.
  at::Tensor tensor(const char* name) const { return at(name).isTensor() ? at(name).toTensor() : at::Tensor(); }
  double number(const char* name) const {
    const c10::IValue& value = at(name);
    return value.isTensor() ? value.toTensor().item<double>() : value.toScalar().toDouble();
  }

 private:
  const c10::IValue& at(const char* name) const {
    return stack_[static_cast<std::size_t>(schema_.argumentIndexWithName(name).value())];
  }

  const c10::FunctionSchema& schema_;
  const torch::jit::Stack& stack_;
};

/// Returns the gradient as the kernel uses it: unscaled and with the sign for `maximize`. If the step is skipped, the
/// gradient is 0, computed on the device, since reading `found_inf` would wait for it.
at::Tensor gradient_of(const Arguments& arguments, const at::Tensor& given) {
  const at::Tensor scale = arguments.tensor("grad_scale");
  const at::Tensor found_inf = arguments.tensor("found_inf");
  const at::Tensor taken = found_inf.defined() ? at::where(found_inf.reshape({}).ne(0), 0.0, given) : given;
  const at::Tensor unscaled = scale.defined() ? taken.div(scale.reshape({})) : taken;
  return arguments.flag("maximize") ? unscaled.neg() : unscaled;
}

void sgd(const Arguments& arguments) {
  const auto weights = arguments.list("self"), gradients = arguments.list("grads");
  const auto buffers = arguments.list("momentum_buffer_list");
  const double momentum = arguments.number("momentum"), decay = arguments.number("weight_decay");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    at::Tensor step = gradient_of(arguments, gradients[i]).add(weights[i], decay);
    if (momentum != 0.0) {
      if (arguments.flag("is_first_step")) {
        buffers[i].copy_(step);
      } else {
        buffers[i].mul_(momentum).add_(step, 1.0 - arguments.number("dampening"));
      }
      step = arguments.flag("nesterov") ? step.add(buffers[i], momentum) : buffers[i];
    }
    weights[i].sub_(step, arguments.number("lr"));
  }
}

void adam(const Arguments& arguments, bool decouples_decay) {
  const auto weights = arguments.list("self"), gradients = arguments.list("grads");
  const auto means = arguments.list("exp_avgs"), squares = arguments.list("exp_avg_sqs");
  const auto largest = arguments.list("max_exp_avg_sqs"), steps = arguments.list("state_steps");
  const double rate = arguments.number("lr"), decay = arguments.number("weight_decay");
  const double beta1 = arguments.number("beta1"), beta2 = arguments.number("beta2");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    // The step count stays a tensor, since reading it from a device would wait.
    const at::Tensor step = steps[i].to(at::kDouble);
    const at::Tensor correction1 = at::pow(beta1, step).neg().add(1.0);
    const at::Tensor correction2 = at::pow(beta2, step).neg().add(1.0);
    at::Tensor gradient = gradient_of(arguments, gradients[i]);
    if (decouples_decay) {
      weights[i].mul_(1.0 - rate * decay);
    } else {
      gradient = gradient.add(weights[i], decay);
    }
    means[i].mul_(beta1).add_(gradient, 1.0 - beta1);
    squares[i].mul_(beta2).addcmul_(gradient, gradient, 1.0 - beta2);
    if (arguments.flag("amsgrad")) largest[i].copy_(at::maximum(largest[i].clone(), squares[i]));
    const at::Tensor& square = arguments.flag("amsgrad") ? largest[i] : squares[i];
    const at::Tensor root = square.sqrt().div(correction2.sqrt()).add(arguments.number("eps"));
    weights[i].sub_(means[i].div(root).div(correction1), rate);
  }
}

void unscale(const torch::jit::Stack& stack) {
  const at::Tensor inverse = stack[2].toTensor();
  for (const at::Tensor& gradient : stack[0].toTensorVector()) gradient.mul_(inverse);
}

void copy_each(const torch::jit::Stack& stack) {
  const std::vector<at::Tensor> to = stack[0].toTensorVector(), from = stack[1].toTensorVector();
  for (std::size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i]);
}

/// Replaces an op that writes into `out` with the op that returns the same result, which has a derivative.
bool run_returning(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const auto& arguments = op.schema().arguments();
  if (arguments.empty() || !arguments.back().is_out() || !stack.back().isTensor()) return false;
  const auto other = c10::Dispatcher::singleton().findSchema({op.operator_name().name, ""});
  if (!other || other->schema().arguments().size() + 1 != arguments.size()) return false;
  const at::Tensor out = stack.back().toTensor();
  stack.pop_back();
  other->callBoxed(stack);
  out.copy_(stack.back().toTensor());
  stack = {out};
  return true;
}

bool writes_first_alone(const c10::FunctionSchema& schema) {
  const auto& arguments = schema.arguments();
  return !arguments.empty() && reference::is_written(arguments.front()) &&
         std::none_of(arguments.begin() + 1, arguments.end(), reference::is_written);
}

/// Tells whether two ops have arguments of the same names and types. They may differ: `pow.Scalar` is a number to the
/// power of a tensor, `pow_.Scalar` a tensor to the power of a number.
bool takes_alike(const c10::FunctionSchema& a, const c10::FunctionSchema& b) {
  const auto is_same = [](const c10::Argument& one, const c10::Argument& other) {
    return one.name() == other.name() && *one.type() == *other.type();
  };
  return std::ranges::equal(a.arguments(), b.arguments(), is_same);
}

constexpr std::string_view kUnscale = "aten::_amp_foreach_non_finite_check_and_unscale_",
                           kCopyEach = "aten::_foreach_copy_", kAdam = "aten::_fused_adam_",
                           kAdamW = "aten::_fused_adamw_", kSgd = "aten::_fused_sgd_", kForeach = "aten::_foreach_";

/// Tells whether only the in-place op can be differentiated. The out-of-place twin has no derivative in LibTorch, or
/// has one that fails ("inconsistent range for TensorList output"): an op on a list of tensors and one more tensor, as
/// in gradient clipping.
bool has_derivative_alone(const c10::OperatorName& op) {
  const bool is_list_with_one = op.name.starts_with(kForeach) && op.overload_name == "Tensor";
  return op.name == kCopyEach || op.name == "aten::copy_" || op.name == "aten::_foreach_zero_" || is_list_with_one;
}

}  // namespace

bool run_differentiable(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const std::string_view name = op.operator_name().name;
  const bool is_adam = name == kAdam, is_adamw = name == kAdamW, is_sgd = name == kSgd;
  if (name == kUnscale) {
    unscale(stack);
  } else if (name == kCopyEach) {
    copy_each(stack);
  } else if (is_adam || is_adamw || is_sgd) {
    const Arguments arguments(op.schema(), stack);
    is_sgd ? sgd(arguments) : adam(arguments, is_adamw);
  } else {
    return run_returning(op, stack);
  }
  stack.clear();
  return true;
}

bool writes(const c10::OperatorHandle& op) {
  return std::ranges::any_of(op.schema().arguments(), reference::is_written);
}

std::optional<c10::OperatorHandle> twin_without_writing(const c10::OperatorHandle& op) {
  const auto& [name, overload] = op.operator_name();
  if (!name.ends_with('_') || name.ends_with("__") || has_derivative_alone(op.operator_name())) return {};
  if (!writes_first_alone(op.schema())) return {};
  auto twin = c10::Dispatcher::singleton().findSchema({name.substr(0, name.size() - 1), overload});
  if (!twin || !takes_alike(twin->schema(), op.schema()) || twin->schema().returns().size() != 1) return {};
  const bool computes_each = twin->hasTag(at::Tag::pointwise) || name.starts_with(kForeach);
  return computes_each && !writes(*twin) ? twin : std::nullopt;
}

}  // namespace ampprof::tape

// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/attention/half_attention.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "precision/replay/attention/attention.h"
#include "precision/replay/attention/fused_attention.h"
#include "precision/replay/attention/kernels.h"

namespace ampprof::attention {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Wraps a call, so that an autograd function can store it in its context.
struct Held : torch::CustomClassHolder {
  Held(c10::OperatorHandle of, torch::jit::Stack with) : op(of), arguments(std::move(with)) {}

  c10::OperatorHandle op;
  torch::jit::Stack arguments;
};

struct Attended : torch::autograd::Function<Attended> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& /*query*/, const at::Tensor& /*key*/,
                            const at::Tensor& /*value*/, const c10::intrusive_ptr<Held>& call) {
    context->saved_data["call"] = c10::IValue::make_capsule(call);
    torch::jit::Stack stack = call->arguments;
    run_half_attention(call->op, stack);
    return stack.front().toTensor();
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto capsule = context->saved_data["call"].toCapsule();
    const Held& call = static_cast<const Held&>(*capsule);
    variable_list found = attention_gradients(call.op, call.arguments, gradients.front());
    found.emplace_back();  // no gradient for the argument `call`
    return found;
  }
};

FusedAttention attention_of(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const auto attention = FusedAttention::of(op.schema(), arguments);
  TORCH_CHECK(attention, op.operator_name().name, " has no elements, or applies dropout");
  return *attention;
}

/// Tells whether the kernel exists only in FP16 and BF16. Excludes the overload with scaled FP8.
bool is_in_half_only(const c10::OperatorHandle& op) {
  const auto& [name, overload] = op.operator_name();
  const Kernel* kernel = kernel_of(name);
  return overload.empty() && kernel != nullptr && kernel->in_half_only;
}

/// Returns the output in the layout of `query`, as a kernel does, since the program may view heads and features as one
/// dimension.
at::Tensor laid_out_as(const at::Tensor& query, const at::Tensor& output) {
  std::vector<std::int64_t> dimensions(static_cast<std::size_t>(query.dim()));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  std::ranges::stable_sort(dimensions, std::greater(), [&](std::int64_t d) { return query.stride(d); });
  return at::empty_permuted(output.sizes(), dimensions, output.options()).copy_(output);
}

/// Returns the mask as numbers to add to the scores, since the math backend would add booleans as 0 and 1.
at::Tensor added_mask(const Attention& attention) {
  const at::Tensor unseen = attention.causal_mask().logical_not();
  return at::zeros(unseen.sizes(), attention.query.options()).masked_fill(unseen, -INFINITY);
}

/// Puts `first` on the stack as the first results and leaves the others undefined.
void put_results(const c10::OperatorHandle& op, torch::jit::Stack& stack, std::vector<at::Tensor> first) {
  first.resize(op.schema().returns().size());
  stack.assign(first.begin(), first.end());
}

const c10::OperatorHandle& math_backend() {
  static const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::_scaled_dot_product_attention_math", "");
  return op;
}

}  // namespace

bool is_half_attention(const c10::OperatorHandle& op) {
  return is_in_half_only(op) && is_fused_attention(op.operator_name().name);
}

bool is_backward_of_half_attention(const c10::OperatorHandle& op) {
  return is_in_half_only(op) && is_backward_of_fused_attention(op.operator_name().name);
}

bool is_attention_without_math(const c10::OperatorHandle& op) {
  return op.operator_name().name == "aten::scaled_dot_product_attention" && !at::globalContext().userEnabledMathSDP();
}

void run_in_math_backend(torch::jit::Stack& stack) {
  stack.insert(stack.begin() + 6, c10::IValue());  // the dropout mask, an argument that the other op lacks
  math_backend().callBoxed(stack);
  stack.resize(1);
}

void run_half_attention(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  if (!is_half_attention(op)) {
    return put_results(op, stack, attention_gradients(op, stack, stack[kGradOutput].toTensor()));
  }
  const at::Tensor output = attention_of(op, stack).output(multiply_exactly);
  put_results(op, stack, {laid_out_as(stack[kQuery].toTensor(), output)});
}

std::vector<at::Tensor> attention_gradients(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                                            const at::Tensor& of_output) {
  const FusedAttention attention = attention_of(op, arguments);
  std::vector<at::Tensor> gradients;
  for (const std::size_t argument : {kQuery, kKey, kValue}) {
    gradients.push_back(attention.gradient(argument, of_output, multiply_exactly));
  }
  return gradients;
}

void run_attention_math(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const Attention of = attention_of(op, stack).tensors();
  const bool needs_mask = of.is_causal && of.causal_offset != 0;
  const at::Tensor mask = needs_mask ? added_mask(of) : of.mask;
  torch::jit::Stack of_math{of.query,      of.key,
                            of.value,      mask.defined() ? c10::IValue(mask) : c10::IValue(),
                            0.0,           of.is_causal && !needs_mask,
                            c10::IValue(), of.scale,
                            false};
  math_backend().callBoxed(of_math);
  put_results(op, stack, {laid_out_as(of.query, of_math[0].toTensor())});
}

void run_with_attention_node(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  torch::jit::Stack values;
  for (const c10::IValue& argument : stack) {
    const bool is_defined = argument.isTensor() && argument.toTensor().defined();
    values.push_back(is_defined ? c10::IValue(argument.toTensor().detach()) : argument);
  }
  const at::Tensor output = Attended::apply(stack[kQuery].toTensor(), stack[kKey].toTensor(), stack[kValue].toTensor(),
                                            c10::make_intrusive<Held>(op, std::move(values)));
  stack.assign(op.schema().returns().size(), at::Tensor());
  stack.front() = output;
}

}  // namespace ampprof::attention

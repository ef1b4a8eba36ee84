// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/attention/attention_node.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <utility>

#include "precision/replay/attention/half_attention.h"
#include "precision/replay/attention/kernels.h"

namespace ampprof::attention {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// A call in the context of an autograd function.
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
    found.emplace_back();  // of the call
    return found;
  }
};

}  // namespace

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

// SPDX-License-Identifier: Apache-2.0
#include "precision/recipes/layer_function.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include "amp_core/levels/error.h"

namespace amp::recipes {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Wraps a layer, so that an autograd function can store it in its context.
struct Held : torch::CustomClassHolder {
  explicit Held(std::shared_ptr<const Layer> held) : layer(std::move(held)) {}

  std::shared_ptr<const Layer> layer;
};

struct InRecipes : torch::autograd::Function<InRecipes> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias, const std::shared_ptr<const Layer>& layer) {
    context->save_for_backward({input, weight, bias.value_or(at::Tensor())});
    context->saved_data["layer"] = c10::IValue::make_capsule(c10::make_intrusive<Held>(layer));
    return layer->output({input, weight, bias});
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (at::GradMode::is_enabled()) {
      throw Error(
          "A second derivative (create_graph) was requested for a layer whose operands a recipe quantizes, and "
          "rounding has no second derivative. Leave such layers out of the recipe with a policy such as \"linear bf16 "
          "in critic\".");
    }
    const auto capsule = context->saved_data["layer"].toCapsule();
    const Layer& layer = *static_cast<const Held&>(*capsule).layer;
    const variable_list saved = context->get_saved_variables();
    const Operands operands{saved[0], saved[1], saved[2]};
    const at::Tensor dy = gradients.front().contiguous();
    const auto wanted = [&](std::size_t i) { return dy.defined() && context->needs_input_grad(i); };
    variable_list result(4);
    if (wanted(0)) result[0] = layer.grad_input(operands, dy);
    if (wanted(1)) result[1] = layer.grad_weight(operands, dy);
    if (saved[2].defined() && wanted(2)) result[2] = layer.grad_bias(operands, dy);
    return result;
  }
};

}  // namespace

at::Tensor apply(const std::shared_ptr<const Layer>& layer, const Operands& operands) {
  return InRecipes::apply(operands.input, operands.weight, operands.bias, layer);
}

}  // namespace amp::recipes

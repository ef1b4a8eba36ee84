// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/gradient_product.h"

#include <ATen/ATen.h>

#include <utility>

namespace ampprof::profiler {

GradientProduct gradient_product(const LayerCall& call, const recipes::Recipe& recipe, Matmul matmul,
                                 products::ProductSettings settings) {
  settings.losses = {};
  const bool is_dgrad = matmul == Matmul::Dgrad;
  const auto find = [call, recipe, matmul, is_dgrad, settings = std::move(settings)](
                        c10::ArrayRef<c10::IValue> arguments, const at::Tensor& gradient) {
    const at::Tensor of_y = call.gradient(gradient, arguments);
    const at::Tensor other = is_dgrad ? call.weight(arguments[call.weight_at()].toTensor())
                                      : call.input(arguments[call.input_at()].toTensor());
    const at::Tensor values = rounded_product(call.convolution(), recipe, matmul, of_y, other, settings).values;
    return is_dgrad ? call.as_input(values) : call.as_weight(values);
  };
  return {.argument = is_dgrad ? call.input_at() : call.weight_at(), .matmul = matmul, .find = find};
}

}  // namespace ampprof::profiler

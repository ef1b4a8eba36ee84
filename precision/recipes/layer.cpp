// SPDX-License-Identifier: Apache-2.0
#include "precision/recipes/layer.h"

#include <ATen/ATen.h>

#include "amp_core/torch_hooks/aside.h"
#include "precision/formats/products/convolution_product.h"
#include "precision/recipes/delayed_scales.h"
#include "precision/recipes/random_keys.h"
#include "precision/recipes/with_amp_errors.h"

namespace amp::recipes {
namespace {

namespace products = ampprof::products;
using ampprof::recipes::Operand;
using ampprof::recipes::Rounding;
using ampprof::recipes::Scale;

bool is_stochastic(const Operand& operand) { return operand.rounding == Rounding::Stochastic; }

at::Tensor earlier_amax(const Layer& layer, Matmul matmul, int which, const at::Tensor& tensor,
                        const Operand& operand) {
  if (operand.scale != Scale::TensorDelayed) return {};
  const at::Tensor amax = products::operand_amax(tensor, operand, products::direction_of(matmul, which));
  const std::string place = layer.place + ' ' + std::string(name_of(matmul)) + ' ' + std::to_string(which);
  return delayed_scales().exchange(place, amax, operand.history);
}

at::Tensor multiplied(const Layer& layer, Matmul matmul, const Operands& operands, const at::Tensor& first,
                      const at::Tensor& second) {
  const Recipe& recipe = *layer.formats[matmul];
  const Operand a = products::operand_of(recipe, matmul, 0, layer.second);
  const Operand b = products::operand_of(recipe, matmul, 1, layer.second);
  products::ProductSettings settings{.second = layer.second};
  if (is_stochastic(a) || is_stochastic(b)) settings.random = next_random_key();
  settings.amax = {earlier_amax(layer, matmul, 0, first, a), earlier_amax(layer, matmul, 1, second, b)};
  if (!layer.convolution) return products::product(recipe, matmul, first, second, settings).values;
  const products::ConvolutionMatrices convolution(operands.input.sizes(), operands.weight.sizes(), *layer.convolution);
  return products::convolution_product(convolution, recipe, matmul, first, second, settings).values;
}

at::Tensor product_in(const Layer& layer, Matmul matmul, const Operands& operands, const at::Tensor& first,
                      const at::Tensor& second) {
  return with_amp_errors([&] { return multiplied(layer, matmul, operands, first, second); });
}

/// Adds the bias to y: one number per output feature, or per channel.
at::Tensor with_bias(const at::Tensor& y, const std::optional<at::Tensor>& bias, bool is_convolution) {
  if (!bias || !bias->defined()) return y;
  const at::Tensor wide = bias->to(y.scalar_type());
  if (!is_convolution) return y + wide;
  std::vector<std::int64_t> channels(static_cast<std::size_t>(y.dim()), 1);
  channels[1] = -1;
  return y + wide.view(channels);
}

at::Tensor plain_convolution(const Convolution& c, const Operands& operands) {
  return at::convolution(operands.input, operands.weight, operands.bias, c.stride, c.padding, c.dilation,
                         c.is_transposed, c.output_padding, c.groups);
}

/// Computes dx or dW with LibTorch.
at::Tensor plain_gradient(const Convolution& c, const Operands& operands, const at::Tensor& dy, bool is_of_input) {
  const auto [dx, dw, unused] = at::convolution_backward(
      dy, operands.input, operands.weight, at::OptionalIntArrayRef(), c.stride, c.padding, c.dilation, c.is_transposed,
      c.output_padding, c.groups, {is_of_input, !is_of_input, false});
  return is_of_input ? dx : dw;
}

}  // namespace

at::Tensor Layer::output(const Operands& operands) const {
  const auto& [x, w, bias] = operands;
  if (formats[Matmul::Fprop] == nullptr) {
    if (convolution) return plain_convolution(*convolution, operands);
    if (w.dim() == 2) return at::linear(x, w, bias);
    return with_bias(at::matmul(x, w.transpose(-2, -1)), bias, false);
  }
  const Aside aside;
  const at::Tensor y = product_in(*this, Matmul::Fprop, operands, x, w);
  return with_bias(y, bias, convolution.has_value()).to(x.scalar_type());
}

at::Tensor Layer::grad_input(const Operands& operands, const at::Tensor& dy) const {
  const auto& [x, w, bias] = operands;
  if (formats[Matmul::Dgrad] == nullptr) {
    return convolution ? plain_gradient(*convolution, operands, dy, true) : at::matmul(dy, w);
  }
  const Aside aside;
  return product_in(*this, Matmul::Dgrad, operands, dy, w).to(x.scalar_type());
}

at::Tensor Layer::grad_weight(const Operands& operands, const at::Tensor& dy) const {
  const auto& [x, w, bias] = operands;
  if (formats[Matmul::Wgrad] == nullptr) {
    return convolution ? plain_gradient(*convolution, operands, dy, false) : at::matmul(dy.transpose(-2, -1), x);
  }
  const Aside aside;
  return product_in(*this, Matmul::Wgrad, operands, dy, x).to(w.scalar_type());
}

at::Tensor Layer::grad_bias(const Operands& operands, const at::Tensor& dy) const {
  const at::Tensor by_row = convolution ? dy.transpose(0, 1).flatten(1) : dy.flatten(0, -2).t();
  return by_row.sum(1, false, at::kFloat).to(operands.bias->scalar_type());
}

}  // namespace amp::recipes

// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/layer_call.h"

#include <ATen/ATen.h>

#include "precision/formats/products/convolution_product.h"
#include "profiler/torch_hooks/cotangents.h"
#include "reports/records/matmul_op.h"

namespace ampprof::profiler {
namespace {

using products::Convolution;
using products::ConvolutionMatrices;
using products::Second;

/// Returns the matmul op with this name, such as "aten::addmm"; null for an op that recipes skip.
const MatmulOp* layer_op(std::string_view name) {
  constexpr std::string_view kAten = "aten::";
  const MatmulOp* op = name.starts_with(kAten) ? matmul_op(name.substr(kAten.size())) : nullptr;
  return op != nullptr && op->is_of_layers ? op : nullptr;
}

/// Returns whether the op is a plain product without an addend. Autograd computes dgrad and wgrad by such ops.
bool is_product_of_two(const MatmulOp& op) { return op.adds == Addend::None && !op.is_convolution(); }

at::Tensor transposed(const at::Tensor& tensor) { return tensor.transpose(-2, -1); }

bool is_matrix(const c10::IValue& value) {
  if (!value.isTensor()) return false;
  const at::Tensor& tensor = value.toTensor();
  return tensor.defined() && tensor.is_floating_point() && tensor.dim() >= 2 && tensor.numel() > 0;
}

/// Returns whether `tensor` is a leaf that requires grad, a view of such a leaf, or autocast's copy of one.
bool is_parameter(const at::Tensor& tensor) {
  const at::Tensor base = tensor.is_view() ? at::Tensor(tensor._base()) : tensor;
  if (base.is_leaf()) return base.requires_grad();
  GraphPlace place = place_in_graph(tensor);
  at::Tensor nothing;
  while (place.leaf == nullptr && go_through(place, nothing)) {
  }
  return place.leaf != nullptr;
}

/// Reads the parameters from `first` on: stride, padding, dilation, transposed, output_padding, groups.
Convolution convolution_from(c10::ArrayRef<c10::IValue> arguments, std::size_t first) {
  return {.stride = arguments[first].toIntVector(),
          .padding = arguments[first + 1].toIntVector(),
          .dilation = arguments[first + 2].toIntVector(),
          .is_transposed = arguments[first + 3].toBool(),
          .output_padding = arguments[first + 4].toIntVector(),
          .groups = arguments[first + 5].toInt()};
}

/// Returns whether the input has a batch dimension. Images without one are rare, and skipped.
bool is_of_a_batch(const at::Tensor& input, const at::Tensor& weight) {
  return input.dim() == weight.dim() && weight.dim() >= 3;
}

at::Tensor with_bias(const at::Tensor& output, const c10::IValue& bias) {
  if (!bias.isTensor() || !bias.toTensor().defined()) return output;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(output.dim()), 1);
  sizes[1] = bias.toTensor().numel();
  return at::add(output, bias.toTensor().reshape(sizes));
}

}  // namespace

const void* memory_of(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() ? tensor.const_data_ptr() : nullptr;
}

bool is_layer_op(std::string_view name) {
  const MatmulOp* op = layer_op(name);
  return op != nullptr && !op->is_backward;
}

bool is_backward_of_layer_op(std::string_view name) {
  const MatmulOp* op = layer_op(name);
  return op != nullptr && (op->is_backward || is_product_of_two(*op));
}

std::optional<LayerCall> LayerCall::of(std::string_view name, c10::ArrayRef<c10::IValue> arguments) {
  const MatmulOp* op = layer_op(name);
  if (op == nullptr || op->is_backward) return std::nullopt;
  if (!is_matrix(arguments[op->a]) || !is_matrix(arguments[op->a + 1])) return std::nullopt;
  const at::Tensor& input = arguments[op->a].toTensor();
  const at::Tensor& weight = arguments[op->a + 1].toTensor();
  LayerCall call;
  if (op->is_convolution()) {
    if (!is_of_a_batch(input, weight)) return std::nullopt;
    call.added_at_ = op->a + 2;
    call.convolution_.emplace(input.sizes(), weight.sizes(), convolution_from(arguments, op->a + 3));
    return call;
  }
  const bool is_second_one = is_parameter(weight);
  call.is_weight_first_ = !is_second_one && is_parameter(input);
  call.second_ = is_second_one || call.is_weight_first_ ? Second::Weight : Second::Activation;
  call.input_at_ = call.is_weight_first_ ? op->a + 1 : op->a;
  call.weight_at_ = call.is_weight_first_ ? op->a : op->a + 1;
  call.has_factors_ = op->adds == Addend::First;
  if (call.has_factors_) call.added_at_ = 0;
  return call;
}

at::Tensor LayerCall::input(const at::Tensor& argument) const {
  return is_weight_first_ ? transposed(argument) : argument;
}

at::Tensor LayerCall::weight(const at::Tensor& argument) const {
  return is_weight_first_ || convolution_ ? argument : transposed(argument);
}

at::Tensor LayerCall::as_input(const at::Tensor& matrix) const {
  return is_weight_first_ ? transposed(matrix) : matrix;
}

at::Tensor LayerCall::as_weight(const at::Tensor& matrix) const {
  return is_weight_first_ || convolution_ ? matrix : transposed(matrix);
}

at::Tensor LayerCall::result(const at::Tensor& y, c10::ArrayRef<c10::IValue> arguments) const {
  if (convolution_) return with_bias(y, arguments[*added_at_]);
  const at::Tensor product = is_weight_first_ ? transposed(y) : y;
  if (!has_factors_) return product;
  const at::Tensor added = at::mul(arguments[*added_at_].toTensor(), arguments[3].toScalar());
  return at::add(added, product, arguments[4].toScalar());
}

at::Tensor LayerCall::gradient(const at::Tensor& of_result, c10::ArrayRef<c10::IValue> arguments) const {
  const at::Tensor of_y = is_weight_first_ ? transposed(of_result) : of_result;
  if (!has_factors_ || arguments[4].toScalar().equal(1)) return of_y;
  return at::mul(of_y, arguments[4].toScalar());
}

products::RoundedProduct rounded_product(const std::optional<ConvolutionMatrices>& convolution,
                                         const recipes::Recipe& recipe, Matmul matmul, const at::Tensor& first,
                                         const at::Tensor& second, const products::ProductSettings& settings) {
  if (!convolution) return products::product(recipe, matmul, first, second, settings);
  return products::convolution_product(*convolution, recipe, matmul, first, second, settings);
}

at::Tensor BackwardMatmul::result(const at::Tensor& product) const {
  // Same layout as the call's own output, so that the two can be compared.
  return is_transposed ? transposed(product).contiguous() : product;
}

namespace {

std::vector<BackwardMatmul> of_convolution(c10::ArrayRef<c10::IValue> arguments, c10::ArrayRef<c10::IValue> returned) {
  if (!is_matrix(arguments[0]) || !is_matrix(arguments[1]) || !is_matrix(arguments[2])) return {};
  const at::Tensor& input = arguments[1].toTensor();
  const at::Tensor& weight = arguments[2].toTensor();
  if (!is_of_a_batch(input, weight)) return {};
  const ConvolutionMatrices convolution(input.sizes(), weight.sizes(), convolution_from(arguments, 4));
  std::vector<BackwardMatmul> matmuls;
  const auto add = [&](Matmul matmul, const at::Tensor& other, const c10::IValue& output) {
    if (!output.isTensor() || !output.toTensor().defined()) return;
    matmuls.push_back({.matmul = matmul,
                       .grad_output = arguments[0].toTensor(),
                       .other = other,
                       .output = output.toTensor(),
                       .convolution = convolution});
  };
  add(Matmul::Dgrad, weight, returned[0]);
  add(Matmul::Wgrad, input, returned[1]);
  return matmuls;
}

}  // namespace

std::vector<BackwardMatmul> backward_matmuls(std::string_view name, c10::ArrayRef<c10::IValue> arguments,
                                             c10::ArrayRef<c10::IValue> returned, const SeenLayer& layer) {
  const MatmulOp* op = layer_op(name);
  if (op == nullptr) return {};
  if (op->is_backward) return of_convolution(arguments, returned);
  if (!is_product_of_two(*op) || !is_matrix(arguments[0]) || !is_matrix(arguments[1])) return {};
  const at::Tensor& a = arguments[0].toTensor();
  const at::Tensor& b = arguments[1].toTensor();
  const auto is_in = [](const at::Tensor& tensor, const void* memory) {
    return memory != nullptr && memory_of(tensor) == memory;
  };
  const at::Tensor& output = returned[0].toTensor();
  // dx = dy W, or dxᵀ = Wᵀ dyᵀ.
  if (is_in(b, layer.weight)) return {{.matmul = Matmul::Dgrad, .grad_output = a, .other = b, .output = output}};
  if (is_in(a, layer.weight)) {
    return {{.matmul = Matmul::Dgrad,
             .grad_output = transposed(b),
             .other = transposed(a),
             .output = output,
             .is_transposed = true}};
  }
  // dW = dyᵀ x, or dWᵀ = xᵀ dy.
  if (is_in(b, layer.input)) {
    return {{.matmul = Matmul::Wgrad, .grad_output = transposed(a), .other = b, .output = output}};
  }
  if (is_in(a, layer.input)) {
    return {
        {.matmul = Matmul::Wgrad, .grad_output = b, .other = transposed(a), .output = output, .is_transposed = true}};
  }
  return {};
}

}  // namespace ampprof::profiler

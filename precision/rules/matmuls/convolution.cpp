// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/matmuls/convolution.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "reports/records/matmul_op.h"

namespace ampprof::rules {
namespace {

using Sizes = std::span<const std::int64_t>;

std::int64_t groups_of(const Signature& signature) {
  const auto text = signature.attribute("groups", "1");
  std::int64_t groups = 1;
  std::from_chars(text.data(), text.data() + text.size(), groups);
  return std::max<std::int64_t>(groups, 1);
}

bool is_transposed(const Signature& signature) {
  const auto text = signature.attribute("transposed", "0");
  return text == "1" || text == "true" || text == "True";
}

double product_of_sizes(Sizes sizes) {
  double product = 1;
  for (const std::int64_t size : sizes) product *= static_cast<double>(size);
  return product;
}

/// Returns the number for one spatial dimension: "2" applies to all dimensions, "2,1" has one number for each. Empty if
/// the attribute has none.
std::optional<double> along(std::string_view numbers, std::size_t axis) {
  for (; axis > 0 && numbers.find(',') != numbers.npos; --axis) numbers.remove_prefix(numbers.find(',') + 1);
  double number = 0;
  const auto [end, error] = std::from_chars(numbers.data(), numbers.data() + numbers.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

/// Returns the number of output positions along one dimension; empty if the signature lacks stride, padding or
/// dilation.
std::optional<double> output_positions(const Signature& signature, std::size_t axis, double size, double kernel,
                                       bool transposed) {
  if (signature.attribute("padding") == "same") return size;
  const auto stride = along(signature.attribute("stride"), axis);
  const auto dilation = along(signature.attribute("dilation"), axis);
  const auto padding = along(signature.attribute("padding"), axis);
  if (!stride || !dilation || !padding || *stride <= 0) return std::nullopt;
  const double reach = *dilation * (kernel - 1) + 1 - 2 * *padding;
  if (!transposed) return std::max(0.0, std::floor((size - reach) / *stride) + 1);
  return (size - 1) * *stride + reach + along(signature.attribute("output_padding"), axis).value_or(0);
}

std::optional<double> output_positions(const Signature& signature, Sizes space, Sizes kernel, bool transposed) {
  double positions = 1;
  for (std::size_t axis = 0; axis < kernel.size(); ++axis) {
    const auto along_axis = output_positions(signature, axis, static_cast<double>(space[axis]),
                                             static_cast<double>(kernel[axis]), transposed);
    if (!along_axis) return std::nullopt;
    positions *= *along_axis;
  }
  return positions;
}

/// Returns the number of output positions from the output gradient of a backward.
std::optional<double> gradient_positions(Sizes gradient, std::size_t axes) {
  if (gradient.size() < axes) return std::nullopt;
  return product_of_sizes(gradient.last(axes));
}

struct Channels {
  std::int64_t in, out, groups;
};

// Each group is a separate matmul, so the channels of one group must be aligned.
Dimensions alignable(const Channels& channels) {
  const auto& [in, out, groups] = channels;
  if (groups == 1) return {{"C_in", in}, {"C_out", out}};
  return {{"C_in / groups", in / groups}, {"C_out / groups", out / groups}};
}

/// Numbers of batch entries and of positions in input, kernel and output; `output` is empty if unknown.
struct Positions {
  double batch, input, kernel;
  std::optional<double> output;
};

/// Counts multiplications. Every position of the output (of the input, if transposed) multiplies C_in values by the
/// kernel for each output channel. A backward does this twice: for the gradients of input and weight.
void count_multiplications(Matmul& matmul, const Positions& positions, double groups, bool transposed,
                           bool is_backward) {
  const auto& [batch, input, kernel, known_output] = positions;
  const double output = known_output.value_or(1);
  const double times = is_backward ? 2 : 1;
  const double meetings = batch * (transposed ? input : output);
  matmul.counts_known = known_output.has_value();
  matmul.multiplications = {{times * meetings * kernel * groups, {0, 1}}};
  matmul.elements = {
      {times * batch * input * groups, {0}}, {times * kernel * groups, {0, 1}}, {times * batch * output * groups, {1}}};
  // The two gradients are matmuls of different shapes, so there is no single result to tile.
  if (is_backward || (!known_output && !transposed)) return;
  matmul.output = OutputMatrix{{meetings, {}}, {transposed ? kernel : 1, {1}}, groups};
}

}  // namespace

std::optional<Operands> convolution_operands(std::string_view op, const Signature& signature) {
  const MatmulOp* convolution = matmul_op(op);
  if (convolution == nullptr || !convolution->is_convolution()) return std::nullopt;
  const bool transposed = convolution->form == MatmulForm::AnyConvolution
                              ? is_transposed(signature)
                              : convolution->form == MatmulForm::TransposedConvolution;
  return Operands{convolution->a, transposed, convolution->is_backward};
}

std::optional<Matmul> matmul_of_convolution(std::string_view op, const Signature& signature) {
  const auto operands = convolution_operands(op, signature);
  if (!operands || signature.tensors.size() < operands->a + 2) return std::nullopt;
  const auto [first, transposed, is_backward] = *operands;
  const Sizes input = signature.tensors[first].shape;
  const Sizes weight = signature.tensors[first + 1].shape;
  const bool has_batch = input.size() == weight.size();
  if (weight.size() < 3 || (!has_batch && input.size() + 1 != weight.size())) return std::nullopt;
  if (std::ranges::min(input) <= 0 || std::ranges::min(weight) <= 0) return std::nullopt;

  const std::int64_t groups = groups_of(signature);
  // A weight is [C_out, C_in / groups, ...]; for a transposed convolution [C_in, C_out / groups, ...].
  std::int64_t grouped = 0;
  if (__builtin_mul_overflow(weight[1], groups, &grouped) || weight[0] % groups != 0) return std::nullopt;
  const Channels channels = transposed ? Channels{weight[0], grouped, groups} : Channels{grouped, weight[0], groups};

  Matmul matmul;
  matmul.kind = MatmulKind::Convolution;
  matmul.dims = {
      {"C_in", channels.in}, {"C_out", channels.out}, {"batch", has_batch ? input[0] : 1}, {"groups", groups}};
  matmul.alignable = alignable(channels);
  matmul.is_depthwise = groups > 1 && channels.in == groups;
  const Sizes kernel = weight.subspan(2);
  const Sizes space = input.last(kernel.size());
  const auto output = is_backward ? gradient_positions(signature.tensors[0].shape, kernel.size())
                                  : output_positions(signature, space, kernel, transposed);
  const Positions positions{has_batch ? static_cast<double>(input[0]) : 1, product_of_sizes(space),
                            product_of_sizes(kernel), output};
  count_multiplications(matmul, positions, static_cast<double>(groups), transposed, is_backward);
  for (std::size_t i : {0, 1}) {
    const TensorInfo& operand = signature.tensors[first + i];
    if (operand.alignment == kFullAlignment) continue;
    matmul.layouts.push_back({i == 0 ? "input" : "weight", operand.dtype, 0, operand.alignment});
  }
  return matmul;
}

}  // namespace ampprof::rules

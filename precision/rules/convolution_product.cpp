// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "precision/rules/product.h"

namespace ampprof {
namespace {

enum class Direction { Forward, Transposed, AsAttribute };

struct Convolution {
  std::string_view op;
  std::size_t input;  ///< which tensor argument is the input; the weight follows it
  Direction direction;
};

constexpr std::array kConvolutions{
    Convolution{"conv1d", 0, Direction::Forward},
    Convolution{"conv2d", 0, Direction::Forward},
    Convolution{"conv3d", 0, Direction::Forward},
    Convolution{"conv_transpose1d", 0, Direction::Transposed},
    Convolution{"conv_transpose2d", 0, Direction::Transposed},
    Convolution{"conv_transpose3d", 0, Direction::Transposed},
    Convolution{"convolution", 0, Direction::AsAttribute},
    Convolution{"_convolution", 0, Direction::AsAttribute},
    Convolution{"cudnn_convolution", 0, Direction::Forward},
    Convolution{"cudnn_convolution_transpose", 0, Direction::Transposed},
    Convolution{"convolution_backward", 1, Direction::AsAttribute},
};

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

// Each group is a product of its own, so what must be aligned are the channels of one group.
Dimensions alignable(std::int64_t in, std::int64_t out, std::int64_t groups) {
  if (groups == 1) return {{"C_in", in}, {"C_out", out}};
  return {{"C_in / groups", in / groups}, {"C_out / groups", out / groups}};
}

}  // namespace

std::optional<Product> convolution_product(std::string_view op, const Signature& signature) {
  const auto* convolution = std::ranges::find(kConvolutions, op, &Convolution::op);
  if (convolution == kConvolutions.end() || signature.tensors.size() < convolution->input + 2) return std::nullopt;
  const auto& input = signature.tensors[convolution->input].shape;
  const auto& weight = signature.tensors[convolution->input + 1].shape;
  const bool has_batch = input.size() == weight.size();
  if (weight.size() < 3 || (!has_batch && input.size() + 1 != weight.size())) return std::nullopt;
  if (std::ranges::min(input) <= 0 || std::ranges::min(weight) <= 0) return std::nullopt;

  const std::int64_t groups = groups_of(signature);
  const bool transposed = convolution->direction == Direction::AsAttribute
                              ? is_transposed(signature)
                              : convolution->direction == Direction::Transposed;
  // A weight is [C_out, C_in / groups, ...], that of a transposed convolution [C_in, C_out / groups, ...].
  const std::int64_t in = transposed ? weight[0] : weight[1] * groups;
  const std::int64_t out = transposed ? weight[1] * groups : weight[0];
  if (in % groups != 0 || out % groups != 0) return std::nullopt;

  Product product;
  product.dims = {{"C_in", in}, {"C_out", out}, {"batch", has_batch ? input[0] : 1}, {"groups", groups}};
  product.alignable = alignable(in, out, groups);
  product.is_depthwise = groups > 1 && in == groups;
  return product;
}

}  // namespace ampprof

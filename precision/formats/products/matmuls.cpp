// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/products/matmuls.h"

#include <ATen/ATen.h>

#include "precision/torch_hooks/aside.h"
#include "precision/torch_hooks/fp32_precision.h"

namespace ampprof::products {
namespace {

/// The two operands of each matmul, in the order of kMatmuls.
constexpr std::array<std::array<Slot, 2>, kMatmuls.size()> kOperands{{
    {Slot::FpropInput, Slot::FpropWeight},
    {Slot::DgradGradOutput, Slot::DgradWeight},
    {Slot::WgradGradOutput, Slot::WgradInput},
}};

Slot slot_of(Matmul matmul, int which) { return kOperands[matmul_index(matmul)][static_cast<std::size_t>(which)]; }

at::Tensor transposed(const at::Tensor& tensor) { return tensor.transpose(-2, -1); }

/// Multiplies in FP64 if the program allows TF32 or BF16 inside FP32.
at::Tensor multiplied(const at::Tensor& a, const at::Tensor& b) {
  if (!torch_hooks::may_shorten(a.scalar_type(), a.device().type(), torch_hooks::Fp32Op::Matmul))
    return at::matmul(a, b);
  return at::matmul(a.to(at::kDouble), b.to(at::kDouble)).to(at::kFloat);
}

at::Tensor multiplied(Matmul matmul, const at::Tensor& first, const at::Tensor& second) {
  switch (matmul) {
    case Matmul::Fprop:
      return multiplied(first, transposed(second));
    case Matmul::Dgrad:
      return multiplied(first, second);
    case Matmul::Wgrad:
      return multiplied(transposed(first), second);
    case Matmul::None:
      break;
  }
  return {};
}

}  // namespace

Operand operand_of(const Recipe& recipe, Matmul matmul, int which, Second second) {
  const Slot slot = slot_of(matmul, which);
  const bool is_weight = slot == Slot::FpropWeight || slot == Slot::DgradWeight;
  if (!is_weight || second == Second::Weight) return recipe[slot];
  Operand operand = recipe[Slot::FpropInput];
  operand.transform = recipe[slot].transform;  // the transform must be the same for both operands
  return operand;
}

Direction direction_of(Matmul matmul, int which) { return info_of(slot_of(matmul, which)).direction; }

CopySettings copy_settings(const ProductSettings& settings, int which) {
  const auto i = static_cast<std::size_t>(which);
  return {settings.amax[i], {settings.random.seed, 2 * settings.random.stream + i}, settings.losses[i]};
}

RoundedProduct product(const Recipe& recipe, Matmul matmul, const at::Tensor& first, const at::Tensor& second,
                       const ProductSettings& settings) {
  const torch_hooks::Aside aside;
  const auto copy = [&](const at::Tensor& tensor, int which) {
    return operand_copy(tensor, operand_of(recipe, matmul, which, settings.second), direction_of(matmul, which),
                        copy_settings(settings, which));
  };
  RoundedProduct made{copy(first, 0), copy(second, 1), {}};
  made.values = multiplied(matmul, made.first, made.second);
  return made;
}

at::Tensor exact_product(Matmul matmul, const at::Tensor& first, const at::Tensor& second, at::ScalarType type) {
  const torch_hooks::Aside aside;
  return multiplied(matmul, first.to(type), second.to(type));
}

recipes::LayerSizes sizes_of(const at::Tensor& input, const at::Tensor& weight, bool is_convolution) {
  return {
      .rows = weight.size(-2), .columns = weight.size(-1), .leading = input.size(-2), .is_convolution = is_convolution};
}

}  // namespace ampprof::products

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "precision/formats/recipes/element.h"
#include "reports/records/matmul.h"

namespace ampprof::recipes {

/// Scale that multiplies an operand's values before rounding. `amax` is the largest magnitude of the values, `largest`
/// the largest value of the type. To add one: an enumerator, a row of kScales, and a case in quantize/scale.h.
enum class Scale : std::uint8_t {
  None,
  Tensor,           ///< one FP32: largest / amax of this tensor
  TensorDelayed,    ///< one FP32: like Tensor, but with the largest amax of recent steps; larger values saturate
  BlockFloat,       ///< one FP32 per block: largest / amax of the block
  BlockPowerOfTwo,  ///< one FP32 per block, rounded down to a power of two
  BlockE8M0,        ///< a power of two per block; 8 bits store its inverse 2^ceil(log2(amax / largest))
  BlockE4M3,        ///< one E4M3 per block, times one FP32 scale of the tensor: amax / (448 · largest)
};

struct ScaleInfo {
  std::string_view name;  ///< in recipe files: never rename
  bool has_block;
};

/// Facts about each scale, in the order of Scale.
inline constexpr std::array<ScaleInfo, 7> kScales{{
    {"none", false},
    {"tensor", false},
    {"tensor_delayed", false},
    {"block_fp32", true},
    {"block_power_of_two", true},
    {"block_e8m0", true},
    {"block_e4m3", true},
}};

constexpr const ScaleInfo& info_of(Scale scale) { return kScales[static_cast<std::size_t>(scale)]; }

/// Elements that share a scale. Written "1x32": across, then along the contracted dimension.
struct BlockShape {
  int across = 0;
  int along = 0;  ///< size along the contracted dimension; the scale of a block can be factored out of the sum

  bool operator==(const BlockShape&) const = default;
};

/// Longest block in either dimension.
inline constexpr int kLongestBlock = 512;

enum class Rounding : std::uint8_t {
  NearestEven,
  Stochastic,  ///< up with a probability equal to the distance from the lower neighbour, so that the mean is right
};
inline constexpr std::array<std::string_view, 2> kRoundings{"nearest", "stochastic"};

/// Transforms of both operands of a matmul that cancel in the product.
enum class Transform : std::uint8_t {
  None,
  Hadamard,  ///< tiles of 16 along the contracted dimension, times S·H₁₆/4, with one fixed diagonal S of signs
};
inline constexpr std::array<std::string_view, 2> kTransforms{"none", "hadamard"};

/// Describes the copy of a tensor that a matmul reads.
struct Operand {
  Element element = Element::BFloat16;
  Scale scale = Scale::None;
  BlockShape block = {};  ///< zeros if the scale has no blocks
  int history = 0;        ///< number of steps of a delayed scale; else 0
  Rounding rounding = Rounding::NearestEven;
  Transform transform = Transform::None;

  bool operator==(const Operand&) const = default;
};

/// Operands of a linear layer's three matmuls: y = x Wᵀ, dx = dy W, dW = dyᵀ x. x is [leading, columns], W [rows,
/// columns], dy [leading, rows], all row-major.
enum class Slot : std::uint8_t {
  FpropInput,
  FpropWeight,
  DgradGradOutput,
  DgradWeight,
  WgradInput,
  WgradGradOutput,
};

/// The contracted dimension of a row-major tensor: along a row (rowwise) or along a column (columnwise).
enum class Direction : std::uint8_t { Rowwise, Columnwise };

struct SlotInfo {
  std::string_view matmul;
  std::string_view tensor;  ///< in recipe files: never rename
  Direction direction;
};

/// Facts about each slot, in the order of Slot.
inline constexpr std::array<SlotInfo, 6> kSlots{{
    {name_of(Matmul::Fprop), "input", Direction::Rowwise},
    {name_of(Matmul::Fprop), "weight", Direction::Rowwise},
    {name_of(Matmul::Dgrad), "grad_output", Direction::Rowwise},
    {name_of(Matmul::Dgrad), "weight", Direction::Columnwise},
    {name_of(Matmul::Wgrad), "input", Direction::Columnwise},
    {name_of(Matmul::Wgrad), "grad_output", Direction::Columnwise},
}};

constexpr const SlotInfo& info_of(Slot slot) { return kSlots[static_cast<std::size_t>(slot)]; }

}  // namespace ampprof::recipes

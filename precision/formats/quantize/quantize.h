// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "precision/formats/quantize/matrix.h"
#include "precision/formats/quantize/philox.h"
#include "precision/formats/recipes/operand.h"
#include "precision/formats/types/instruction_set.h"
#include "reports/records/recipe_matmul.h"

namespace ampprof::quantize {

/// Tells a rounding what the operand's description does not.
struct Settings {
  /// Largest magnitude that the tensor's scale is made from: for a delayed scale that of earlier steps, for others that
  /// of the whole tensor (by amax()), where `from` is a part of one. Empty: that of `from`; for a delayed scale none,
  /// so that it is 1.
  std::optional<float> amax = std::nullopt;
  RandomKey random = {};             ///< of stochastic roundings
  std::uint16_t hadamard_signs = 0;  ///< the diagonal S: bit i is set where element i of a tile changes its sign
  std::int64_t first_row = 0;  ///< of the whole tensor, where `from` is a part of one; a multiple of rows_of_part()
  error::cpu::InstructionSet instructions = error::cpu::best_instruction_set();
};

namespace cpu {

/// Rounds a matrix as a matmul's operand would be, and gives back what the result stands for: `to` holds elements times
/// their scales, in the basis that `from` has. Runs on this thread. The definition is
/// tests/precision/formats/quantize/plain.h; every instruction set gives the same bits.
///
/// NaN stays NaN, and makes NaN of its block where the scale has one (E8M0, E4M3). inf becomes the largest value of a
/// type with a scale. A type without one is rounded as error::cpu::round_to() does. A tile of less than 16, at the end
/// of a line, is not transformed.
OperandLoss quantize(const Matrix& from, Output to, const recipes::Operand& operand, recipes::Direction direction,
                     const Settings& settings = {});

/// Returns the largest magnitude of what quantize() would round: inf counts, NaN not.
float amax(const Matrix& from, const recipes::Operand& operand, recipes::Direction direction,
           const Settings& settings = {});

/// Returns what a part's first row must be a multiple of for the parts of a tensor to become what the whole does.
std::int64_t rows_of_part(const recipes::Operand& operand, recipes::Direction direction);

/// Multiplies tiles of 16 along a dimension by H = S·H₁₆/4, Sylvester's H₁₆, in FP32; the inverse by Hᵀ.
void hadamard(const Matrix& from, Output to, recipes::Direction direction, std::uint16_t signs);
void inverse_hadamard(const Matrix& from, Output to, recipes::Direction direction, std::uint16_t signs);

}  // namespace cpu
}  // namespace ampprof::quantize

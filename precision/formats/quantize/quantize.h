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

/// Settings for rounding, in addition to the operand.
struct Settings {
  /// Largest magnitude for the scale of the whole tensor. For a delayed scale it is that of earlier steps. For other
  /// scales it is that of the whole tensor (by amax()), needed if `from` is only a part. If empty, `from` itself is
  /// measured, and a delayed scale is 1.
  std::optional<float> amax = std::nullopt;
  RandomKey random = {};             ///< for stochastic rounding
  std::uint16_t hadamard_signs = 0;  ///< the diagonal S: bit i is set if element i of a tile changes its sign
  std::int64_t first_row = 0;  ///< row in the whole tensor if `from` is a part of it; a multiple of rows_of_part()
  error::cpu::InstructionSet instructions = error::cpu::best_instruction_set();
};

namespace cpu {

/// Rounds a matrix like a matmul's operand and returns the losses. `to` receives the represented values: rounded
/// elements divided by their scales, and transformed back. Runs on this thread.
/// tests/precision/formats/quantize/plain.h is the definition; every instruction set gives the same bits.
///
/// NaN stays NaN, and its whole block becomes NaN if the scale can be NaN (E8M0, E4M3). In a type with a scale, inf
/// becomes the largest value. A type without a scale is rounded like error::cpu::round_to(). An incomplete tile (fewer
/// than 16 elements) at the end of a line is not transformed.
OperandRounding quantize(const Matrix& from, Output to, const recipes::Operand& operand, recipes::Direction direction,
                         const Settings& settings = {});

/// Returns the largest magnitude that quantize() would round, including inf but not NaN.
float amax(const Matrix& from, const recipes::Operand& operand, recipes::Direction direction,
           const Settings& settings = {});

/// Returns the number that must divide the first row of a part, so that the part is rounded like the whole tensor.
std::int64_t rows_of_part(const recipes::Operand& operand, recipes::Direction direction);

/// Multiplies tiles of 16 along a dimension by H = S·H₁₆/4, with Sylvester's H₁₆, in FP32; the inverse uses Hᵀ.
void hadamard(const Matrix& from, Output to, recipes::Direction direction, std::uint16_t signs);
void inverse_hadamard(const Matrix& from, Output to, recipes::Direction direction, std::uint16_t signs);

}  // namespace cpu
}  // namespace ampprof::quantize

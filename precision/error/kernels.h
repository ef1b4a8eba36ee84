// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "precision/error/output_statistics.h"
#include "precision/formats/types/spacing.h"

namespace ampprof::error {

/// Floating values in memory, one after another. Does not own them.
struct Elements {
  const void* data = nullptr;
  std::size_t size = 0;
  DType dtype = DType::Float;

  /// `count` of them from `start` on.
  Elements part(std::size_t start, std::size_t count) const {
    return {static_cast<const std::byte*>(data) + start * static_cast<std::size_t>(size_of(dtype)), count, dtype};
  }
};

namespace cpu {

/// Instruction sets that the loops are compiled for.
enum class InstructionSet { Baseline, Avx2, Avx512 };

/// The widest that this processor has.
InstructionSet best_instruction_set();

/// Compares an output as executed with its reference, element by element, on this thread. Both have the same size; the
/// output is of any floating type of DType, the reference Float or Double. Errors are in ulp of `spacing`, which is not
/// that of the output's type where values of a narrow type are held in a wider one.
///
/// Counts and ranges are exact. Against a Float reference the error of a pair is rounded to float, and the sums are
/// within 1e-6 of the exact ones; against a Double reference, and of a Double output, all is computed in double.
OutputStatistics measure(Elements output, Elements reference, Spacing spacing,
                         InstructionSet instructions = best_instruction_set());

/// Ranges and exponents alone: the output is its own reference.
OutputStatistics measure_ranges(Elements output, InstructionSet instructions = best_instruction_set());

/// Values of half types to float, exactly. `to` has room for all of `from`.
void widen_half(std::span<const std::uint16_t> from, float* to);
void widen_bfloat16(std::span<const std::uint16_t> from, float* to);
void widen_float8_e4m3(std::span<const std::uint8_t> from, float* to);
void widen_float8_e5m2(std::span<const std::uint8_t> from, float* to);

}  // namespace cpu
}  // namespace ampprof::error

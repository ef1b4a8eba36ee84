// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/error/output_statistics.h"
#include "precision/formats/types/elements.h"
#include "precision/formats/types/instruction_set.h"
#include "precision/formats/types/spacing.h"

namespace ampprof::error {

namespace cpu {

/// Compares an output as executed with its reference, element by element, on this thread. Both have the same size. The
/// output has any floating type of DType, the reference is Float or Double. Errors are in ulp of `spacing`, which
/// differs from the spacing of the output's type if the output holds values of a narrower type.
///
/// Counts and ranges are exact. Against a Float reference the error of a pair is rounded to float, and the sums are
/// within 1e-6 of the exact ones. For a Double reference or output everything is computed in double.
OutputStatistics measure(Elements output, Elements reference, Spacing spacing,
                         InstructionSet instructions = best_instruction_set());

/// Returns only ranges and exponents; the exponents are those of the output.
OutputStatistics measure_ranges(Elements output, InstructionSet instructions = best_instruction_set());

/// Returns whether all values are finite, in about a third of the time of measure_ranges().
bool are_finite(Elements output, InstructionSet instructions = best_instruction_set());

}  // namespace cpu
}  // namespace ampprof::error

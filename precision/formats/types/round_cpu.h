// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "precision/formats/types/instruction_set.h"
#include "precision/formats/types/number_format.h"

namespace ampprof::error::cpu {

/// Rounds each value to `type`, to nearest, ties to even, in one rounding. NaN and inf stay, but inf becomes NaN in a
/// type without inf. `to` has room for all values of `from` and may be the same memory.
void round_to(std::span<const float> from, float* to, WhatIfType type,
              InstructionSet instructions = best_instruction_set());
void round_to(std::span<const double> from, double* to, WhatIfType type,
              InstructionSet instructions = best_instruction_set());

}  // namespace ampprof::error::cpu

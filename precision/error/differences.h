// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "precision/error/kernels.h"

namespace ampprof::error::cpu {

/// Writes a - b element by element, on this thread, as BF16: the difference in float, rounded to nearest, ties to even.
/// `a` and `b` have the same size and any types of DType except Double. The result is not finite where an element of
/// `a` or `b` is not, but 0 where both are the same infinity. `to` has room for all elements and overlaps neither
/// input.
void difference(Elements a, Elements b, std::uint16_t* to, InstructionSet instructions = best_instruction_set());

}  // namespace ampprof::error::cpu

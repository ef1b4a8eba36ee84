// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::error::cpu {

/// Instruction sets that the loops are compiled for.
enum class InstructionSet { Baseline, Avx2, Avx512 };

/// Returns the widest instruction set that this processor supports.
InstructionSet best_instruction_set();

}  // namespace ampprof::error::cpu

// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/types/instruction_set.h"

namespace ampprof::error::cpu {

InstructionSet best_instruction_set() {
#if defined(__x86_64__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx512) return InstructionSet::Avx512;
  if (has_avx2) return InstructionSet::Avx2;
#endif
  return InstructionSet::Baseline;
}

}  // namespace ampprof::error::cpu

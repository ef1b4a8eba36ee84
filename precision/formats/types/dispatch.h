// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/types/instruction_set.h"

namespace ampprof::error::cpu {

/// Runs `Work::of(args...)`, compiled for one instruction set. All functions that it calls must be inlined.
template <typename Work, typename... Args>
void on_baseline(Args... args) {
  Work::of(args...);
}

#if defined(__x86_64__)
template <typename Work, typename... Args>
[[gnu::target("avx2,fma")]] void on_avx2(Args... args) {
  Work::of(args...);
}

template <typename Work, typename... Args>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,fma")]] void on_avx512(Args... args) {
  Work::of(args...);
}
#endif

/// A loop and the width of its vectors in bytes.
template <typename... Args>
struct Loop {
  void (*run)(Args...);
  int width;
};

/// Returns `Work` compiled for the vectors of an instruction set.
template <template <int> typename Work, typename... Args>
Loop<Args...> loop_for(InstructionSet instructions) {
  switch (instructions) {
#if defined(__x86_64__)
    case InstructionSet::Avx512:
      return {&on_avx512<Work<64>, Args...>, 64};
    case InstructionSet::Avx2:
      return {&on_avx2<Work<32>, Args...>, 32};
#endif
    default:
      return {&on_baseline<Work<16>, Args...>, 16};
  }
}

}  // namespace ampprof::error::cpu

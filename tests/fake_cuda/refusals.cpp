// SPDX-License-Identifier: Apache-2.0
// All that LibTorch imports and nobody wrote: it is refused, and counted under its name. What is written is stronger.
#include "tests/fake_cuda/counts.h"

#define REFUSES(name, code)                                          \
  extern "C" [[gnu::visibility("default"), gnu::weak]] long name() { \
    FAKE_CUDA_COUNTED;                                               \
    return code;                                                     \
  }
#include "refusals.inc"

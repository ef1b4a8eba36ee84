// SPDX-License-Identifier: Apache-2.0
// Refuses and counts, by name, all functions that LibTorch imports and that the fake CUDA does not implement. The
// symbols are weak, so that an implementation replaces them.
#include "tests/fake_cuda/counts.h"

#define REFUSES(name, code)                                          \
  extern "C" [[gnu::visibility("default"), gnu::weak]] long name() { \
    FAKE_CUDA_COUNTED;                                               \
    return code;                                                     \
  }
#include "refusals.inc"

// SPDX-License-Identifier: Apache-2.0
// Fake cuDNN: answers the version query that LibTorch makes when it starts, and refuses everything else.
#include <cstddef>

#include "tests/fake_cuda/counts.h"

FAKE_CUDA_API std::size_t cudnnGetVersion() { return 91900; }
FAKE_CUDA_API std::size_t cudnnGetCudartVersion() { return 13000; }
FAKE_CUDA_API const char* cudnnGetErrorString(int) { return "not in the stand-in for cuDNN"; }
FAKE_CUDA_API void cudnnGetLastErrorString(char* text, std::size_t size) {
  if (size > 0) *text = '\0';
}

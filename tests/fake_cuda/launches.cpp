// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/launches.h"

#include <atomic>

#include "tests/fake_cuda/counts.h"
#include "tests/fake_cuda/fake_cuda.h"
#include "tests/fake_cuda/streams.h"

namespace fake_cuda {
namespace {

std::atomic<void (*)(const char* kernel)> listener;

}  // namespace

void count_launch(cudaStream_t stream, const char* kernel) {
  static Count& launches = count_of("launches");
  ++launches;
  auto* const call = listener.load();
  if (call != nullptr && stream_of(stream).capture == nullptr) call(kernel);
}

}  // namespace fake_cuda

FAKE_CUDA_API void fake_cuda_on_launch(void (*call)(const char* kernel)) { fake_cuda::listener = call; }

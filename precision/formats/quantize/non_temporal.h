// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/// Stores that bypass the caches, so that the processor does not read lines that are overwritten completely.
namespace ampprof::quantize {

/// Copies a line to memory that is not read again soon.
inline void copy_past_cache(const float* from, std::size_t size, float* to) {
  std::size_t done = 0;
#if defined(__SSE__)
  constexpr std::size_t kVector = 4;
  const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(to) / sizeof(float) % kVector;
  const std::size_t head = (kVector - misplaced) % kVector;
  if (size >= head) {
    std::memcpy(to, from, head * sizeof(float));
    for (done = head; done + kVector <= size; done += kVector) _mm_stream_ps(to + done, _mm_loadu_ps(from + done));
  }
#endif
  std::memcpy(to + done, from + done, (size - done) * sizeof(float));
}

/// Orders the writes of copy_past_cache() before later stores.
inline void finish_copies_past_cache() {
#if defined(__SSE__)
  _mm_sfence();
#endif
}

}  // namespace ampprof::quantize

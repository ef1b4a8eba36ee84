// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ampprof::profiler {

/// Owns the memory into which CUPTI writes records. A buffer is lent to CUPTI, filled, read, and returned to the pool.
/// Thread-safe. No function throws, since CUPTI's callbacks must not.
class BufferPool {
 public:
  struct Filled {
    std::uint8_t* buffer = nullptr;
    std::size_t bytes = 0;  ///< bytes of records in the buffer
  };

  /// Makes a pool of at most `most` buffers of `bytes` each, allocated as they are needed.
  BufferPool(std::size_t bytes, std::size_t most) : bytes_(bytes), most_(most) {}

  std::size_t bytes() const { return bytes_; }
  /// Returns a buffer with undefined content; null if all are in use or the pool is closed.
  std::uint8_t* lend() noexcept;
  /// Takes back a buffer into which CUPTI has written this many bytes.
  void filled(std::uint8_t* buffer, std::size_t bytes) noexcept;
  /// Returns the buffers filled since the last call.
  std::vector<Filled> take_filled() noexcept;
  /// Takes back a buffer from take_filled() after it was read.
  void give_back(const Filled& read) noexcept;
  /// Stops lending, and frees all buffers that are not lent.
  void close() noexcept;

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const { std::free(memory); }
  };

  const std::size_t bytes_;
  const std::size_t most_;
  std::mutex mutex_;
  bool is_closed_ = false;
  std::unordered_map<std::uint8_t*, std::unique_ptr<std::uint8_t[], Free>> all_;
  std::vector<std::uint8_t*> free_;
  std::vector<Filled> filled_;
};

}  // namespace ampprof::profiler

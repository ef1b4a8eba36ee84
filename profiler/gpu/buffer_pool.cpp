// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/buffer_pool.h"

#include <algorithm>
#include <utility>

namespace ampprof::profiler {
namespace {

constexpr std::size_t kAlignment = 4096;  // CUPTI requires 8

}  // namespace

std::uint8_t* BufferPool::lend() noexcept {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return nullptr;
  if (!free_.empty()) {
    std::uint8_t* buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  if (all_.size() >= most_) return nullptr;
  void* memory = nullptr;
  if (::posix_memalign(&memory, kAlignment, bytes_) != 0) return nullptr;
  auto* buffer = static_cast<std::uint8_t*>(memory);
  all_.emplace(buffer, buffer);
  return buffer;
}

void BufferPool::filled(std::uint8_t* buffer, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  if (!all_.contains(buffer)) return;
  filled_.push_back({buffer, std::min(bytes, bytes_)});
}

std::vector<BufferPool::Filled> BufferPool::take_filled() noexcept {
  const std::lock_guard lock(mutex_);
  return std::exchange(filled_, {});
}

void BufferPool::give_back(const Filled& read) noexcept {
  const std::lock_guard lock(mutex_);
  if (is_closed_) {
    all_.erase(read.buffer);
  } else {
    free_.push_back(read.buffer);
  }
}

void BufferPool::close() noexcept {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  for (std::uint8_t* buffer : std::exchange(free_, {})) all_.erase(buffer);
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

#include "reports/records/op_call.h"

namespace ampprof::profiler {

/// Carries op calls from one thread to the writer's thread without a lock: one thread pushes, the other takes.
///
/// A chain of chunks. The pushing thread fills the last chunk and publishes how many calls the chunk has. The taking
/// thread reads that many calls and returns emptied chunks, so no memory is allocated in steady state.
class CallQueue {
 public:
  /// The most calls that may wait. If there are more, push() fails.
  static constexpr std::size_t kMostCalls = std::size_t{1} << 22;

  CallQueue() : last_(new Chunk), first_(last_) {}
  ~CallQueue() {
    for (Chunk* chain : {first_, own_spares_, spares_.load()}) {
      while (chain != nullptr) delete std::exchange(chain, chain->next.load());
    }
  }
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  /// Adds a call, or returns false if the queue is full. For the pushing thread alone.
  bool push(const PlainCall& call) {
    std::size_t filled = last_->filled.load(std::memory_order_relaxed);
    if (filled == kChunkCalls) {
      if (pushed_chunks_ - taken_chunks_.load(std::memory_order_relaxed) >= kMostCalls / kChunkCalls) return false;
      add_chunk();
      filled = 0;
    }
    last_->calls[filled] = call;
    last_->filled.store(filled + 1, std::memory_order_release);
    return true;
  }

  /// Calls `visit(const PlainCall&)` for each call pushed so far, in their order. For the taking thread alone.
  template <typename Visit>
  void take(Visit&& visit) {
    for (;;) {
      const std::size_t filled = first_->filled.load(std::memory_order_acquire);
      for (; taken_ < filled; ++taken_) visit(first_->calls[taken_]);
      Chunk* next = first_->next.load(std::memory_order_acquire);
      if (filled < kChunkCalls || next == nullptr) return;
      retire(std::exchange(first_, next));
    }
  }

 private:
  static constexpr std::size_t kChunkCalls = 1024;

  struct Chunk {
    std::atomic<std::size_t> filled{0};
    std::atomic<Chunk*> next{nullptr};
    std::array<PlainCall, kChunkCalls> calls;
  };

  void add_chunk() {
    if (own_spares_ == nullptr) own_spares_ = spares_.exchange(nullptr, std::memory_order_acquire);
    Chunk* fresh = own_spares_ != nullptr ? own_spares_ : new Chunk;
    own_spares_ = fresh->next.exchange(nullptr, std::memory_order_relaxed);
    last_->next.store(fresh, std::memory_order_release);
    last_ = fresh;
    ++pushed_chunks_;
  }

  void retire(Chunk* chunk) {
    taken_ = 0;
    taken_chunks_.fetch_add(1, std::memory_order_relaxed);
    chunk->filled.store(0, std::memory_order_relaxed);
    Chunk* head = spares_.load(std::memory_order_relaxed);
    do {
      chunk->next.store(head, std::memory_order_relaxed);
    } while (!spares_.compare_exchange_weak(head, chunk, std::memory_order_release, std::memory_order_relaxed));
  }

  Chunk* last_;  // this member and the next two: for the pushing thread alone
  std::size_t pushed_chunks_ = 1;
  Chunk* own_spares_ = nullptr;
  alignas(64) Chunk* first_;  // this member and the next: for the taking thread alone
  std::size_t taken_ = 0;     ///< number of calls taken from `first_`
  alignas(64) std::atomic<std::size_t> taken_chunks_{0};
  std::atomic<Chunk*> spares_{nullptr};  ///< emptied chunks for reuse; the pushing thread takes them all at once
};

}  // namespace ampprof::profiler

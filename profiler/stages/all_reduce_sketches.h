// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "reports/records/collective.h"

namespace ampprof::profiler {

class Recorder;

/// Sketches of what this rank puts into an all-reduce and of what comes out: those of all ranks add up to that of the
/// sum that nobody rounded. Results are read when they are there and before the program's next op, which may write to
/// them; those that somebody has written to by then are left out. Keeps no tensor alive. On the CPU alone. Thread-safe.
class AllReduceSketches {
 public:
  explicit AllReduceSketches(Recorder& recorder) : recorder_(recorder), state_(std::make_shared<State>()) {}

  /// Records a sketch of `tensors`, before they are reduced in place. Returns false where there is none of these.
  bool put_in(const CollectiveCall& call, const std::vector<at::Tensor>& tensors);
  /// Returns what is to be called, on any thread, when the tensors hold the result.
  std::function<void()> await(const CollectiveCall& call, const std::vector<at::Tensor>& tensors);
  /// Records sketches of the results that have come since.
  void take_results() {
    if (state_->came.load(std::memory_order_acquire) > 0) take_those_that_came();
  }

 private:
  using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

  struct Awaited {
    std::int64_t segment = 0;
    std::int64_t call_site = 0;
    std::vector<WeakTensor> tensors;
    std::vector<std::uint32_t> versions;
    std::shared_ptr<std::atomic<bool>> has_come;
  };

  /// Outlives a recording where a collective ends after it.
  struct State {
    std::mutex mutex;
    std::vector<Awaited> awaited;
    std::atomic<int> came{0};  ///< of these, whose results are there
  };

  void take_those_that_came();
  void record(const Awaited& awaited);
  void record(std::int64_t segment, std::int64_t call_site, bool is_result, const std::vector<at::Tensor>& values);

  Recorder& recorder_;
  std::shared_ptr<State> state_;
};

}  // namespace ampprof::profiler

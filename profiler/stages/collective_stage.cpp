// SPDX-License-Identifier: Apache-2.0
// Records the group, bytes, start and end of each collective. The op only starts the work; the end comes from its Work.

#include <ATen/ATen.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "precision/sketch/sketch.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"
#include "precision/torch_hooks/tensor_memory.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/run_clock.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/collective_work.h"
#include "profiler/torch_hooks/guarded.h"
#include "reports/records/collective.h"

namespace ampprof::profiler {
namespace {

/// Records sketches of the inputs and results that this rank has in an all-reduce. The sketches of all ranks' inputs
/// add up to the sketch of the unrounded sum. Reads a result once its Work is done, before the next op of the program
/// can overwrite it. Skips results that were overwritten earlier. Keeps no tensor alive. CPU only. Thread-safe.
class AllReduceSketches {
 public:
  explicit AllReduceSketches(Recorder& recorder) : recorder_(recorder), state_(std::make_shared<State>()) {}

  /// Records a sketch of `tensors` before they are reduced in place. Returns false, without a sketch, if the reduction
  /// is neither sum nor average, or if a tensor cannot be sketched.
  bool put_in(const CollectiveCall& call, const std::vector<at::Tensor>& tensors);
  /// Returns a function that must be called, on any thread, when `tensors` have the result.
  std::function<void()> await(const CollectiveCall& call, const std::vector<at::Tensor>& tensors);
  /// Records sketches of the results that have arrived since the last call.
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

  /// Shared with the functions from await(), since a collective may end after the recording.
  struct State {
    std::mutex mutex;
    std::vector<Awaited> awaited;
    std::atomic<int> came{0};  ///< number of `awaited` entries whose results have arrived
  };

  void take_those_that_came();
  void record(const Awaited& awaited);
  void record(std::int64_t segment, std::int64_t call_site, bool is_result, const std::vector<at::Tensor>& values);

  Recorder& recorder_;
  std::shared_ptr<State> state_;
};

bool can_be_sketched(const at::Tensor& tensor) {
  return tensors::has_sums(tensor) && tensor.is_cpu() && !tensor.is_inference();
}

bool sums_up(const CollectiveCall& call) { return call.reduction == "sum" || call.reduction == "avg"; }

bool AllReduceSketches::put_in(const CollectiveCall& call, const std::vector<at::Tensor>& tensors) {
  if (!sums_up(call) || tensors.empty() || !std::ranges::all_of(tensors, can_be_sketched)) return false;
  record(call.segment, call.call_site, /*is_result=*/false, tensors);
  return true;
}

std::function<void()> AllReduceSketches::await(const CollectiveCall& call, const std::vector<at::Tensor>& tensors) {
  Awaited awaited{.segment = call.segment,
                  .call_site = call.call_site,
                  .tensors = {},
                  .versions = {},
                  .has_come = std::make_shared<std::atomic<bool>>(false)};
  for (const at::Tensor& tensor : tensors) {
    awaited.tensors.emplace_back(tensor.getIntrusivePtr());
    awaited.versions.push_back(torch_hooks::version_of(tensor));
  }
  auto comes = [state = state_, has_come = awaited.has_come] {
    has_come->store(true, std::memory_order_release);
    state->came.fetch_add(1, std::memory_order_release);
  };
  const std::lock_guard lock(state_->mutex);
  state_->awaited.push_back(std::move(awaited));
  return comes;
}

// Reads results under the lock. The next op of another thread waits for the lock, and so cannot overwrite a result
// meanwhile.
void AllReduceSketches::take_those_that_came() {
  const std::lock_guard lock(state_->mutex);
  std::vector<Awaited>& awaited = state_->awaited;
  const auto first =
      std::stable_partition(awaited.begin(), awaited.end(), [](const Awaited& each) { return !each.has_come->load(); });
  const std::vector<Awaited> came(std::make_move_iterator(first), std::make_move_iterator(awaited.end()));
  awaited.erase(first, awaited.end());
  state_->came.fetch_sub(static_cast<int>(came.size()));
  for (const Awaited& each : came) record(each);
}

void AllReduceSketches::record(const Awaited& awaited) {
  std::vector<at::Tensor> results;
  for (std::size_t i = 0; i < awaited.tensors.size(); ++i) {
    at::Tensor& result = results.emplace_back(awaited.tensors[i].lock());
    if (!result.defined() || torch_hooks::version_of(result) != awaited.versions[i]) return;
  }
  record(awaited.segment, awaited.call_site, /*is_result=*/true, results);
}

void AllReduceSketches::record(std::int64_t segment, std::int64_t call_site, bool is_result,
                               const std::vector<at::Tensor>& values) {
  CollectiveSketch row{.is_result = is_result, .sketch = {}};
  const std::vector<std::uint64_t> places = tensors::places_of(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sketch::merge(row.sketch, tensors::sketch_of(values[i], places[i]));
  }
  row.sketch.segment = segment;
  row.sketch.call_site = call_site;
  recorder_.add([&](Batch& batch) { batch.collective_sketches.push_back(row); });
}

/// Calls `visit(const at::Tensor&)` for each tensor in a value, in lists and in lists of lists, too.
template <typename Visit>
void each_tensor_in(const c10::IValue& value, const Visit& visit) {
  if (value.isTensor()) {
    if (tensors::has_plain_memory(value.toTensor())) visit(value.toTensor());
  } else if (value.isTensorList() || (value.isList() && !value.toListRef().empty() && value.toListRef()[0].isList())) {
    for (const c10::IValue& member : value.toListRef()) each_tensor_in(member, visit);
  }
}

void write_row(Recorder& recorder, const CollectiveCall& row) {
  recorder.add([&](Batch& batch) { batch.collectives.push_back(row); });
}

/// Returns whether this op is an all-reduce that returns a Work, which signals when the result is complete.
bool is_all_reduce(const OpInfo& info) { return info.name.starts_with("c10d::allreduce_"); }

class CollectiveStage : public Stage {
 public:
  CollectiveStage(Recorder& recorder, RunClock& clock, bool makes_sketches)
      : recorder_(recorder), clock_(clock), makes_sketches_(makes_sketches), sketches_(recorder) {}

  /// Wants all ops if it makes sketches, since any op may write to the result of an all-reduce.
  bool wants(const OpInfo& info) const override { return info.is_collective || makes_sketches_; }

  std::unique_ptr<StageCall> begin(Call& call) override;

  /// Records a collective when it begins, so that a collective that never ends is recorded, too. Records no end on a
  /// GPU, where a Work is done as soon as its kernel is launched.
  void began(CollectiveCall row, bool is_on_gpu, const std::vector<at::Tensor>& sketched,
             c10::ArrayRef<c10::IValue> results) {
    write_row(recorder_, row);
    const std::vector<c10::IValue> works = take_works_begun();
    if (is_on_gpu) return;
    std::function<void()> comes;
    if (!sketched.empty()) comes = sketches_.await(row, sketched);
    const auto write_end = [row, comes, &recorder = recorder_, &clock = clock_]() mutable {
      row.end_ns = clock.now_ns();
      if (comes) comes();
      guarded(FaultPlace::Stage, [&] { write_row(recorder, row); });
    };
    when_done(results, write_end);
    for (const c10::IValue& work : works) when_done(work, write_end);  // each end overwrites the row: the last remains
  }

  /// Records a sketch of the tensors that the call reduces in place. Returns these tensors; empty without a sketch.
  std::vector<at::Tensor> sketch_inputs(const Call& call, const CollectiveCall& row) {
    std::vector<at::Tensor> sent;
    if (!makes_sketches_ || !call.sampled || !is_all_reduce(call.info)) return sent;
    each_tensor_in(call.arguments().front(), [&](const at::Tensor& tensor) { sent.push_back(tensor); });
    return sketches_.put_in(row, sent) ? sent : std::vector<at::Tensor>{};
  }

 private:
  Recorder& recorder_;
  RunClock& clock_;
  const bool makes_sketches_;
  AllReduceSketches sketches_;
};

/// A call that began a collective.
class BegunCollective : public StageCall {
 public:
  BegunCollective(CollectiveStage& stage, const Call& call) : stage_(stage) {
    (void)take_works_begun();  // drops Works of an earlier call that threw
    GroupOfCall group = group_of(call.op, call.arguments());
    row_ = {.segment = call.record.segment,
            .call_site = call.record.call_site,
            .group = std::move(group.name),
            .group_size = group.size,
            .reduction = std::move(group.reduction)};
    for (const c10::IValue& argument : call.arguments()) {
      std::int64_t bytes = 0;
      each_tensor_in(argument, [&](const at::Tensor& tensor) {
        bytes += static_cast<std::int64_t>(tensor.nbytes());
        if (row_.dtype == DType::Unknown) row_.dtype = tensors::dtype_of(tensor);
        is_on_gpu_ = is_on_gpu_ || tensor.is_cuda();
      });
      row_.bytes = std::max(row_.bytes, bytes);
    }
    sketched_ = stage_.sketch_inputs(call, row_);
  }

  void after(Call& call) override {
    row_.start_ns = call.record.start_ns;
    stage_.began(row_, is_on_gpu_, std::exchange(sketched_, {}), call.results());
  }

 private:
  CollectiveStage& stage_;
  CollectiveCall row_{};
  bool is_on_gpu_ = false;
  std::vector<at::Tensor> sketched_{};  ///< tensors that the call reduces in place, if their sketch was recorded
};

std::unique_ptr<StageCall> CollectiveStage::begin(Call& call) {
  if (makes_sketches_) sketches_.take_results();
  if (!call.info.is_collective) return nullptr;
  return std::make_unique<BegunCollective>(*this, call);
}

}  // namespace

std::unique_ptr<Stage> make_collective_stage(Recorder& recorder, RunClock& clock, bool makes_sketches) {
  return std::make_unique<CollectiveStage>(recorder, clock, makes_sketches);
}

}  // namespace ampprof::profiler

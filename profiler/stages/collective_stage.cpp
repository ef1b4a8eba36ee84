// SPDX-License-Identifier: Apache-2.0
// What a collective moves, and when it is done: the op itself only begins it.

#include <ATen/ATen.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/call.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/run_clock.h"
#include "profiler/stages/all_reduce_sketches.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/collective_work.h"

namespace ampprof::profiler {
namespace {

/// Calls `visit(const at::Tensor&)` for each tensor in a value, members of lists of lists included.
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

/// Of those that leave their work behind, which tells when the result is there.
bool is_all_reduce(const OpInfo& info) { return info.name.starts_with("c10d::allreduce_"); }

class CollectiveStage : public Stage {
 public:
  CollectiveStage(Recorder& recorder, RunClock& clock, bool makes_sketches)
      : recorder_(recorder), clock_(clock), makes_sketches_(makes_sketches), sketches_(recorder) {}

  /// Any op may write to what an all-reduce has left.
  bool wants(const OpInfo& info) const override { return info.is_collective || makes_sketches_; }

  std::unique_ptr<StageCall> begin(Call& call) override;

  /// A collective that never ends is recorded, too. On a GPU what is said to be done is what was launched.
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
    for (const c10::IValue& work : works) when_done(work, write_end);  // the row of the last one stays
  }

  /// Returns the tensors that it reduces in place, where a sketch was made of these.
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
    (void)take_works_begun();  // of a call that threw
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
  std::vector<at::Tensor> sketched_{};  ///< what it reduces in place, where a sketch was made of that
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

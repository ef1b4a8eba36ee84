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
#include "profiler/recorder/guarded.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/run_clock.h"
#include "profiler/stages/all_reduce_sketches.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/collective_work.h"
#include "reports/recording/options.h"

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
  explicit CollectiveStage(const StageContext& context) : context_(context), sketches_(context.recorder) {}

  /// Any op may write to what an all-reduce has left.
  bool wants(const OpInfo& info) const override { return info.is_collective || context_.options.sketch; }

  void before(Call& call) override {
    if (context_.options.sketch) sketches_.take_results();
    if (call.info.is_collective) look_at(call);
  }

  /// A collective that never ends is recorded, too. On a GPU what is said to be done is what was launched.
  void after(Call& call) override {
    if (!call.collective) return;
    CollectiveCall& row = call.collective->row;
    row.start_ns = call.record.start_ns;
    write_row(context_.recorder, row);
    if (call.collective->is_on_gpu) return;
    std::function<void()> comes;
    if (!call.collective->sketched.empty()) comes = sketches_.await(row, call.collective->sketched);
    const auto write_end = [row, comes, &recorder = context_.recorder, &clock = context_.clock]() mutable {
      row.end_ns = clock.now_ns();
      if (comes) comes();
      guarded(FaultPlace::Stage, [&] { write_row(recorder, row); });
    };
    when_done(call.results(), write_end);
    for (const c10::IValue& work : call.collective->works) when_done(work, write_end);  // the row of the last one stays
  }

 private:
  void look_at(Call& call) {
    SeenCollective& seen = call.collective.emplace();
    GroupOfCall group = group_of(call.op, call.arguments());
    seen.row = {.substep = call.record.substep,
                .call_site = call.record.call_site,
                .group = std::move(group.name),
                .group_size = group.size,
                .reduction = std::move(group.reduction)};
    for (const c10::IValue& argument : call.arguments()) {
      std::int64_t bytes = 0;
      each_tensor_in(argument, [&](const at::Tensor& tensor) {
        bytes += static_cast<std::int64_t>(tensor.nbytes());
        if (seen.row.dtype == DType::Unknown) seen.row.dtype = tensors::dtype_of(tensor);
        seen.is_on_gpu = seen.is_on_gpu || tensor.is_cuda();
      });
      seen.row.bytes = std::max(seen.row.bytes, bytes);
    }
    if (context_.options.sketch && call.sampled && is_all_reduce(call.info)) sketch_inputs(call);
  }

  void sketch_inputs(Call& call) {
    std::vector<at::Tensor> sent;
    each_tensor_in(call.arguments().front(), [&](const at::Tensor& tensor) { sent.push_back(tensor); });
    if (sketches_.put_in(call.collective->row, sent)) call.collective->sketched = std::move(sent);
  }

  const StageContext context_;
  AllReduceSketches sketches_;
};

}  // namespace

std::unique_ptr<Stage> make_collective_stage(const StageContext& context) {
  return std::make_unique<CollectiveStage>(context);
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
// What two runs are compared by, op call by op call: a sketch of its outputs, and whether its inputs were the same.

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <span>

#include "precision/replay/reference/reference.h"
#include "precision/tensors/call_sketch.h"
#include "precision/tensors/known_checksums.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"
#include "profiler/calls/call.h"
#include "profiler/calls/pending_call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class SketchStage : public Stage {
 public:
  explicit SketchStage(const StageContext& context) : context_(context) {}

  bool wants(const OpInfo& info) const override {
    return (info.returns_tensor && !info.leaves_memory_unset) || info.is_collective;
  }

  void before(Call& call) override {
    if (call.info.is_collective) return known_.clear();  // what it gives is not there when its op returns
    call.is_sketched = call.sampled;
    if (!call.sampled) return;
    if (last_substep_.exchange(call.record.substep) != call.record.substep) known_.clear();
    call.written = reference::written_arguments(call.op, call.arguments());
    if (call.info.may_be_view && !call.info.writes_first) {
      call.may_be_viewed = call.arguments().vec();  // asked for when it turns out to be none
    } else {
      add_inputs(call, call.arguments());
    }
  }

  void after(Call& call) override {
    if (!call.sampled || call.info.is_collective) return;
    forget_written(call);
    const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
    if (is_view(call, outputs) || !can_be_read(outputs)) {
      call.sketch = {};
      return;
    }
    add_inputs(call, call.may_be_viewed);
    add_outputs(call, outputs);
    if (!call.sketch.is_complete()) any_later_ = true;
    if (any_later_ || call.sketch.is_empty()) return;
    record(call.sketch, call.record);
    call.sketch = {};
  }

  void completed(std::span<PendingCall> calls) override {
    for (const PendingCall& call : calls) {
      if (!call.sketch.is_empty()) record(call.sketch, call.record);
    }
  }

 private:
  void add_inputs(Call& call, c10::ArrayRef<c10::IValue> arguments) {
    for_each_tensor(arguments, [&](const at::Tensor& input) {
      call.sketch.add_input(known_.of(input, context_.results_of(input)));
    });
  }

  void add_outputs(Call& call, const std::vector<at::Tensor>& outputs) {
    const std::vector<std::uint64_t> places = tensors::places_of(outputs);
    call.outputs_sketched.resize(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].defined()) continue;
      const tensors::Checksum checksum =
          call.sketch.add_output(outputs[i], places[i], context_.results_of(outputs[i]), call.outputs_sketched[i]);
      if (outputs.size() == 1 && tensors::has_sums(outputs[i])) known_.put(outputs[i], checksum);
    }
  }

  void record(const tensors::CallSketch& sketch, const OpCall& call) {
    context_.recorder.add([&](Batch& batch) {
      Sketch& row = batch.sketches.emplace_back(sketch.value());
      row.substep = call.substep;
      row.call_site = call.call_site;
    });
  }

  /// What a compiled region writes nobody says.
  void forget_written(const Call& call) {
    if (call.info.is_compiled_region) known_.clear();
    for_each_tensor(call.written, [&](const at::Tensor& written) { known_.forget(written); });
  }

  /// What lies in an argument's memory is that argument's, and may never have been set.
  static bool is_view(const Call& call, const std::vector<at::Tensor>& outputs) {
    const auto shares = [&](const at::Tensor& output) {
      bool is_shared = false;
      for_each_tensor(call.may_be_viewed, [&](const at::Tensor& input) {
        is_shared =
            is_shared || (input.has_storage() && output.defined() && output.has_storage() && input.is_alias_of(output));
      });
      return is_shared;
    };
    return call.info.may_be_view && std::ranges::all_of(outputs, shares);
  }

  bool can_be_read(const std::vector<at::Tensor>& outputs) {
    const bool can_be = std::ranges::all_of(outputs, [&](const at::Tensor& output) {
      return !output.defined() ||
             (tensors::has_plain_memory(output) && (output.is_cpu() || context_.results_of(output) != nullptr));
    });
    if (!can_be) {
      context_.missing.note("sketches of op calls",
                            "tensors without memory of their own, or on a device without a kernel",
                            "compare runs on the CPU, or on a GPU by an ampprof that was built with CUDA");
    }
    return can_be;
  }

  const StageContext context_;
  tensors::KnownChecksums known_;  ///< of this substep: programs may write into a batch's memory between two
  std::atomic<std::int64_t> last_substep_{-1};
  std::atomic<bool> any_later_{false};  ///< then all are recorded at the end of a step: reports have them in order
};

}  // namespace

std::unique_ptr<Stage> make_sketch_stage(const StageContext& context) { return std::make_unique<SketchStage>(context); }

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
// Sketches: records a sketch of each call's outputs and a checksum of its inputs, to compare two runs.

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "precision/replay/reference/reference.h"
#include "precision/tensors/call_sketch.h"
#include "precision/tensors/known_checksums.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

/// Returns whether all outputs share the storage of an argument. Such a storage may never have been written.
bool is_view(const Call& call, c10::ArrayRef<c10::IValue> may_be_viewed, const std::vector<at::Tensor>& outputs) {
  const auto shares = [&](const at::Tensor& output) {
    bool is_shared = false;
    for_each_tensor(may_be_viewed, [&](const at::Tensor& input) {
      is_shared =
          is_shared || (input.has_storage() && output.defined() && output.has_storage() && input.is_alias_of(output));
    });
    return is_shared;
  };
  return call.info.may_be_view && std::ranges::all_of(outputs, shares);
}

class SketchStage : public Stage {
 public:
  SketchStage(Recorder& recorder, MissingNotes& missing, tensors::DeferredReductions& results)
      : recorder_(recorder), missing_(missing), results_(results) {}

  bool wants(const OpInfo& info) const override {
    return (info.returns_tensor && !info.leaves_memory_unset) || info.is_collective;
  }

  std::unique_ptr<StageCall> begin(Call& call) override;

  void add_inputs(tensors::CallSketch& sketch, c10::ArrayRef<c10::IValue> arguments) {
    for_each_tensor(arguments,
                    [&](const at::Tensor& input) { sketch.add_input(known_.of(input, results_.if_deferred(input))); });
  }

  void add_outputs(tensors::CallSketch& sketch, std::vector<tensors::PendingSketch>& made,
                   const std::vector<at::Tensor>& outputs) {
    const std::vector<std::uint64_t> places = tensors::places_of(outputs);
    made.resize(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].defined()) continue;
      const tensors::Checksum checksum =
          sketch.add_output(outputs[i], places[i], results_.if_deferred(outputs[i]), made[i]);
      if (outputs.size() == 1 && tensors::has_sums(outputs[i])) known_.put(outputs[i], checksum);
    }
  }

  /// Forgets the checksums of written tensors. Forgets all for a compiled region, whose writes are unknown.
  void forget_written(const Call& call, c10::ArrayRef<c10::IValue> written) {
    if (call.info.is_compiled_region) known_.clear();
    for_each_tensor(written, [&](const at::Tensor& tensor) { known_.forget(tensor); });
  }

  bool can_be_read(const std::vector<at::Tensor>& outputs) {
    const bool can_be = std::ranges::all_of(outputs, [&](const at::Tensor& output) {
      return !output.defined() ||
             (tensors::has_plain_memory(output) && (output.is_cpu() || results_.if_deferred(output) != nullptr));
    });
    if (!can_be) {
      missing_.note("sketches of op calls", "tensors without memory of their own, or on a device without a kernel",
                    "compare runs on the CPU, or on a GPU with an ampprof that was built with CUDA");
    }
    return can_be;
  }

  /// Returns whether to record the sketch at the end of the step. Once one sketch waits for a device, all later ones
  /// wait too, since a report holds sketches in the order of the calls.
  bool comes_later(const tensors::CallSketch& sketch) {
    if (!sketch.is_complete()) any_later_ = true;
    return any_later_;
  }

  void record(const tensors::CallSketch& sketch, const OpCall& call) {
    recorder_.add([&](Batch& batch) {
      Sketch& row = batch.sketches.emplace_back(sketch.value());
      row.segment = call.segment;
      row.call_site = call.call_site;
    });
  }

 private:
  Recorder& recorder_;
  MissingNotes& missing_;
  tensors::DeferredReductions& results_;
  tensors::KnownChecksums known_;  ///< in this segment only, since inputs may be overwritten unseen between segments
  std::atomic<std::int64_t> last_segment_{-1};
  std::atomic<bool> any_later_{false};
};

class SketchedCall : public StageCall {
 public:
  SketchedCall(SketchStage& stage, const Call& call)
      : stage_(stage), written_(reference::written_arguments(call.op, call.arguments())) {
    if (call.info.may_be_view && !call.info.writes_first) {
      may_be_viewed_ = call.arguments().vec();  // read after the call, if the result is not a view
    } else {
      stage_.add_inputs(sketch_, call.arguments());
    }
  }

  void after(Call& call) override {
    stage_.forget_written(call, std::exchange(written_, {}));
    const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
    const std::vector<c10::IValue> may_be_viewed = std::exchange(may_be_viewed_, {});
    if (is_view(call, may_be_viewed, outputs) || !stage_.can_be_read(outputs)) {
      sketch_ = {};
      return;
    }
    stage_.add_inputs(sketch_, may_be_viewed);
    stage_.add_outputs(sketch_, call.figures.sketches, outputs);
    if (stage_.comes_later(sketch_) || sketch_.is_empty()) return;
    stage_.record(std::exchange(sketch_, {}), call.record);
  }

  bool is_complete() const override { return sketch_.is_empty(); }

  void complete(PendingCall& call) override {
    if (!sketch_.is_empty()) stage_.record(sketch_, call.record);
  }

 private:
  SketchStage& stage_;
  tensors::CallSketch sketch_{};  ///< sketch still to be recorded; empty once recorded
  std::vector<c10::IValue> may_be_viewed_{};
  std::vector<c10::IValue> written_;
};

std::unique_ptr<StageCall> SketchStage::begin(Call& call) {
  if (call.info.is_collective) known_.clear();  // results of a collective are written after the op has returned
  if (call.info.is_collective || !call.sampled) return nullptr;
  if (last_segment_.exchange(call.record.segment) != call.record.segment) known_.clear();
  return std::make_unique<SketchedCall>(*this, call);
}

}  // namespace

std::unique_ptr<Stage> make_sketch_stage(Recorder& recorder, MissingNotes& missing,
                                         tensors::DeferredReductions& results) {
  return std::make_unique<SketchStage>(recorder, missing, results);
}

}  // namespace ampprof::profiler

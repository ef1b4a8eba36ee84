// SPDX-License-Identifier: Apache-2.0
// Local error and ranges: runs the call again in high precision on what it received, and compares the outputs.

#include <ATen/ATen.h>

#include "precision/replay/reference/reference.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {
namespace {

class LocalErrorStage : public Stage {
 public:
  explicit LocalErrorStage(const StageContext& context)
      : context_(context),
        reference_(context.options.reference == recording::ReferenceMode::Double ? at::kDouble : at::kFloat) {}

  void before(Call& call) override {
    if (has_values(call)) call.kept = reference_.keep(call.op, call.stack);
  }

  void after(Call& call) override {
    if (!has_values(call)) return;
    const reference::Rerun result =
        call.rerun ? *call.rerun : reference_.run(call.op, call.kept, call.results(), call.thread.ran_in_recipe);
    if (result.outcome == reference::RerunOutcome::View) return;
    note_if_missing(call, result);
    measure_outputs(call, result);
  }

  void completed(std::span<PendingCall> calls) override {
    for (PendingCall& call : calls) put_measured(call.record, call.local.value());
  }

 private:
  static bool has_values(const Call& call) {
    return call.has_room && call.info.returns_tensor && !call.info.leaves_memory_unset;
  }

  void note_if_missing(const Call& call, const reference::Rerun& result) {
    switch (result.outcome) {
      case reference::RerunOutcome::Random:
        return context_.missing.note("local error of op calls", call.info.name + " is random",
                                     "its ranges are recorded; its error is that of the ops around it");
      case reference::RerunOutcome::Unsupported:
      case reference::RerunOutcome::Failed:
        return context_.missing.note("local error of op calls", call.info.name + ": " + result.reason,
                                     "its ranges are recorded; judge it by the ops around it");
      default:
        return;
    }
  }

  void note_complex() {
    context_.missing.note("values of op calls", "tensors of complex numbers",
                          "they are counted and timed; judge them by the ops around them");
  }

  void measure_outputs(Call& call, const reference::Rerun& result) {
    const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
    std::vector<std::uint64_t> places;
    if (call.is_sketched) {
      places = tensors::places_of(outputs);
      call.outputs_sketched.resize(outputs.size());
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const at::Tensor& output = outputs[i];
      if (output.defined() && output.is_complex()) note_complex();
      if (!tensors::is_measurable(output)) continue;
      const at::Tensor reference = i < result.outputs.size() ? result.outputs[i] : at::Tensor();
      tensors::SketchBeside sketch{.start = call.is_sketched ? places[i] : 0};
      const bool differs = compare(call, output, reference, call.is_sketched ? &sketch : nullptr);
      if (call.is_sketched) call.outputs_sketched[i] = sketch.made;
      if (reference.defined()) call.compared.push_back({output, output, reference, !differs});
    }
    if (call.local.is_complete()) put_measured(call.record, call.local.value());
  }

  /// What a checkpoint computes once more was measured the first time.
  bool compare(Call& call, const at::Tensor& output, const at::Tensor& reference, tensors::SketchBeside* sketch) {
    return call.phase == Phase::Recompute || call.local.add(output, reference, context_.results_of(output), sketch);
  }

  const StageContext context_;
  reference::Reference reference_;
};

}  // namespace

std::unique_ptr<Stage> make_local_error_stage(const StageContext& context) {
  return std::make_unique<LocalErrorStage>(context);
}

}  // namespace ampprof::profiler

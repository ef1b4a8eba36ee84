// SPDX-License-Identifier: Apache-2.0
// Judges each op of a program in FP32 as if its inputs and its output had another type.

#include <ATen/ATen.h>

#include <mutex>

#include "precision/replay/reference/reference.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/round_to.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"
#include "profiler/stages/gradients.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {
namespace {

/// The tensor in the type that the op would have returned. TF32 is a type of inputs: matmuls come out in FP32.
at::Tensor as_output(const at::Tensor& tensor, error::WhatIfType type) {
  const error::NumberFormat& format = format_of(type);
  return format.is_input_only() ? tensor : tensor.to(tensors::scalar_type_of(format.dtype).value());
}

class WhatIfStage : public Stage {
 public:
  WhatIfStage(const StageContext& context, error::WhatIfType type)
      : context_(context), type_(type), scale_(context.options.assume_scale) {}

  bool wants(const OpInfo& info) const override {
    return info.returns_tensor && !info.leaves_memory_unset && !info.is_compiled_region;
  }

  void before(Call& call) override {
    call.saved = reference::save_call(call.op, call.stack, reference::CopyWritten::Always);
  }

  void after(Call& call) override {
    const bool is_gradient = follow(call);
    // No engine runs its updates in reduced precision; what they would lose there is in the optimizer's own figures.
    if (call.phase == Phase::Optimizer) return;
    const auto round = [&](const c10::Argument& argument, const at::Tensor& tensor) {
      return rounded(call, argument, tensor);
    };
    const auto change = [&](const c10::Argument& argument, const c10::IValue& value) {
      return reference::for_replay(argument, value, round);
    };
    const reference::Replay rerun = reference::replay(call.op, call.saved, call.results(), change);
    if (rerun.outcome == reference::ReplayOutcome::View) return;
    if (rerun.outcome == reference::ReplayOutcome::Random || rerun.outcome == reference::ReplayOutcome::Unsupported ||
        rerun.outcome == reference::ReplayOutcome::Failed) {
      context_.missing.note("local error of op calls", call.info.name + ": " + reason_of(rerun),
                            "its ranges are recorded; judge it by the ops around it");
    }
    if (is_gradient) call.record.scale = scale_;
    measure_outputs(call, rerun, is_gradient ? scale_ : 1.0);
  }

  void completed(std::span<PendingCall> calls) override {
    for (PendingCall& call : calls) put_measured(call.record, call.local.value());
  }

 private:
  static std::string reason_of(const reference::Replay& rerun) {
    return rerun.outcome == reference::ReplayOutcome::Random ? "it is random" : rerun.reason;
  }

  bool follow(const Call& call) {
    const std::lock_guard lock(mutex_);
    return gradients_.follow(call);
  }

  at::Tensor rounded(const Call& call, const c10::Argument& argument, const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.is_floating_point()) return tensor;
    const bool is_scaled = call.phase == Phase::Backward && is_gradient(argument, tensor);
    return is_scaled ? at::div(tensors::round_to(at::mul(tensor, scale_), type_), scale_)
                     : tensors::round_to(tensor, type_);
  }

  bool is_gradient(const c10::Argument& argument, const at::Tensor& tensor) {
    const std::lock_guard lock(mutex_);
    return gradients_.contains(argument, tensor);
  }

  /// What the program made is the reference, and its rerun with rounded inputs what is judged. Figures of gradients are
  /// those of the scaled ones, as in a run that scales its loss.
  void measure_outputs(Call& call, const reference::Replay& rerun, double scale) const {
    const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!tensors::is_measurable(outputs[i])) continue;
      const bool is_judged = i < rerun.outputs.size() && rerun.outputs[i].defined();
      const at::Tensor high = scale == 1.0 ? outputs[i] : at::mul(outputs[i], scale);
      const at::Tensor low =
          !is_judged ? high : as_output(scale == 1.0 ? rerun.outputs[i] : at::mul(rerun.outputs[i], scale), type_);
      const bool differs = call.phase == Phase::Recompute ||
                           call.local.add(low, is_judged ? high : at::Tensor(), context_.results_of(low));
      if (is_judged) call.pairs.push_back({outputs[i], low, high, !differs});
    }
    if (call.local.is_complete()) put_measured(call.record, call.local.value());
  }

  const StageContext context_;
  error::WhatIfType type_;
  double scale_;
  std::mutex mutex_;
  Gradients gradients_;
};

}  // namespace

std::unique_ptr<Stage> make_what_if_stage(const StageContext& context) {
  return std::make_unique<WhatIfStage>(context, error::what_if_type(context.options.what_if).value());
}

}  // namespace ampprof::profiler

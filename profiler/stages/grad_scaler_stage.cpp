// SPDX-License-Identifier: Apache-2.0
// Reads what a Python program's GradScaler does from the two ops that it is made of.

#include <ATen/ATen.h>

#include <mutex>
#include <optional>

#include "precision/reference/reference.h"
#include "profiler/calls/call.h"
#include "profiler/overflow/gradient_report.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

double value_of(const c10::IValue& scalar_tensor) { return scalar_tensor.toTensor().item<double>(); }

class GradScalerStage : public Stage {
 public:
  explicit GradScalerStage(const StageContext& context) : context_(context) {}

  bool wants(const OpInfo& info) const override { return info.unscales || info.updates_scale; }

  void before(Call& call) override {
    const auto arguments = call.arguments();
    if (call.info.unscales && !context_.scaler.has_engine()) {
      call.handles = arguments.vec();  // gradients, found_inf, inv_scale
      note_unscaling(call);
    }
    if (!call.info.updates_scale) return;
    const std::lock_guard lock(mutex_);  // scale, growth_tracker, found_inf, …
    scale_before_ = value_of(arguments[0]);
    overflow_ = value_of(arguments[2]) > 0;
  }

  void after(Call& call) override {
    if (!call.handles.empty()) remember_bad_gradients(call);
    if (call.info.updates_scale) report_update(call);
  }

 private:
  /// A fused optimizer unscales in its own kernel: then the scaler only looks, and divides by 1.
  void note_unscaling(const Call& call) {
    const std::vector<at::Tensor> gradients = reference::tensors_in(call.arguments()[0]);
    if (gradients.empty()) return;
    const double scale = 1.0 / value_of(call.arguments()[2]);
    context_.scaler.gradients_unscaled(gradients.front(), scale == 1.0 ? std::nullopt : std::optional(scale));
  }

  // The op returns nothing: it writes to its arguments, which are the gradients, found_inf and inv_scale.
  void remember_bad_gradients(Call& call) {
    const std::lock_guard lock(mutex_);
    const auto& arguments = call.handles;
    if (value_of(arguments[1]) == 0) return;
    // The update that follows may run all the same, and end what is known of the backward pass.
    if (!event_) event_ = context_.scaler.event_of_trace();
    const double scale = 1.0 / value_of(arguments[2]);
    for_each_tensor(arguments[0], [&](const at::Tensor& gradient) {
      if (auto bad = report_if_nonfinite(gradient, scale)) {
        bad->name = context_.parameters.owner_of_gradient(gradient);
        event_->parameters.push_back(std::move(*bad));
      }
    });
  }

  void report_update(Call& call) {
    const std::lock_guard lock(mutex_);
    const at::Tensor& scale = call.results()[0].toTensor();
    const double scale_after = value_of(scale);
    if (overflow_) {
      OverflowEvent event = event_ ? std::move(*event_) : context_.scaler.event_of_trace();
      event.scale_before = scale_before_;
      event.scale_after = scale_after;
      event.skipped = true;
      context_.scaler.overflowed(std::move(event));
    }
    event_.reset();
    context_.scaler.scaler_decided(scale.unsafeGetTensorImpl(), scale_before_, scale_after, overflow_);
    context_.scaler.scale_updated(0, scale_before_, scale_after, overflow_, overflow_);
  }

  const StageContext context_;
  std::mutex mutex_;
  double scale_before_ = 1.0;
  bool overflow_ = false;
  std::optional<OverflowEvent> event_;  ///< of the gradients that were not finite since the last update
};

}  // namespace

std::unique_ptr<Stage> make_grad_scaler_stage(const StageContext& context) {
  return std::make_unique<GradScalerStage>(context);
}

}  // namespace ampprof::profiler

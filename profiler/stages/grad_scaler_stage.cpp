// SPDX-License-Identifier: Apache-2.0
// Reads what a Python program's GradScaler does from the two ops that it is made of.

#include <ATen/ATen.h>

#include <cmath>
#include <mutex>
#include <optional>

#include "precision/replay/reference/reference.h"
#include "profiler/calls/call.h"
#include "profiler/calls/known_numbers.h"
#include "profiler/overflow/gradient_report.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

/// A scaler's state as its update leaves it, by the rule of LibTorch's `_amp_update_scale_`: no device is asked for it.
struct ScalerState {
  double scale;
  double growth_tracker;

  ScalerState updated(bool overflow, double growth, double backoff, std::int64_t interval) const {
    const auto times = [&](double factor) { return static_cast<double>(static_cast<float>(scale * factor)); };
    if (overflow) return {times(backoff), 0};
    if (growth_tracker + 1 != static_cast<double>(interval)) return {scale, growth_tracker + 1};
    return {std::isfinite(times(growth)) ? times(growth) : scale, 0};
  }
};

class GradScalerStage : public Stage {
 public:
  explicit GradScalerStage(const StageContext& context)
      : context_(context), known_([&scaler = context.scaler](const std::vector<at::Tensor>& numbers) {
          return scaler.numbers_of(numbers);
        }) {}

  bool wants(const OpInfo& info) const override { return info.unscales || info.updates_scale; }

  void before(Call& call) override {
    const auto arguments = call.arguments();
    if (call.info.unscales && !context_.scaler.has_engine()) call.handles = arguments.vec();
    if (!call.info.updates_scale) return;
    const std::lock_guard lock(mutex_);  // scale, growth_tracker, found_inf, growth factor, backoff factor, interval
    tracker_ = arguments[1].toTensor();
    const auto values = known_.of({arguments[0].toTensor(), tracker_, arguments[2].toTensor()});
    before_ = {values[0], values[1]};
    overflow_ = values[2] > 0;
    after_ = before_.updated(overflow_, arguments[3].toDouble(), arguments[4].toDouble(), arguments[5].toInt());
  }

  void after(Call& call) override {
    if (!call.handles.empty()) look_at_unscaling(call);
    if (call.info.updates_scale) report_update(call);
  }

 private:
  // The op returns nothing: it writes to its arguments, which are the gradients, found_inf and inv_scale.
  void look_at_unscaling(const Call& call) {
    const std::lock_guard lock(mutex_);
    const auto& arguments = call.handles;
    const std::vector<at::Tensor> gradients = reference::tensors_in(arguments[0]);
    const auto values = known_.of({arguments[1].toTensor(), arguments[2].toTensor()});
    const double scale = 1.0 / values[1];
    // A fused optimizer unscales in its own kernel: then the scaler only looks, and divides by 1.
    if (!gradients.empty()) {
      context_.scaler.gradients_unscaled(gradients.front(), scale == 1.0 ? std::nullopt : std::optional(scale));
    }
    if (values[0] != 0) remember_bad_gradients(gradients, scale);
  }

  void remember_bad_gradients(const std::vector<at::Tensor>& gradients, double scale) {
    // The update that follows may run all the same, and end what is known of the backward pass.
    if (!event_) event_ = context_.scaler.event_of_trace();
    for (const at::Tensor& gradient : gradients) {
      auto bad = gradient.defined() ? report_if_nonfinite(gradient, scale) : std::nullopt;
      if (!bad) continue;
      bad->name = context_.parameters.owner_of_gradient(gradient);
      event_->parameters.push_back(std::move(*bad));
    }
    context_.trace.sort(event_->parameters);
  }

  void report_update(Call& call) {
    const std::lock_guard lock(mutex_);
    const at::Tensor& scale = call.results()[0].toTensor();
    known_.put(scale, after_.scale);
    known_.put(tracker_, after_.growth_tracker);
    tracker_.reset();
    if (overflow_) {
      OverflowEvent event = event_ ? std::move(*event_) : context_.scaler.event_of_trace();
      event.scale_before = before_.scale;
      event.scale_after = after_.scale;
      event.skipped = true;
      context_.scaler.overflowed(std::move(event));
    }
    event_.reset();
    context_.scaler.scaler_decided(scale.unsafeGetTensorImpl(), before_.scale, after_.scale, overflow_);
    context_.scaler.scale_updated(0, before_.scale, after_.scale, overflow_, overflow_);
  }

  const StageContext context_;
  std::mutex mutex_;
  KnownNumbers known_;
  at::Tensor tracker_;  ///< during an update
  ScalerState before_{1.0, 0.0};
  ScalerState after_{1.0, 0.0};
  bool overflow_ = false;
  std::optional<OverflowEvent> event_;  ///< of the gradients that were not finite since the last update
};

}  // namespace

std::unique_ptr<Stage> make_grad_scaler_stage(const StageContext& context) {
  return std::make_unique<GradScalerStage>(context);
}

}  // namespace ampprof::profiler

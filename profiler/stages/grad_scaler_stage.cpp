// SPDX-License-Identifier: Apache-2.0
// Reads the decisions of torch.amp.GradScaler from its two ops, _amp_foreach_non_finite_check_and_unscale_ and
// _amp_update_scale_.

#include <ATen/ATen.h>

#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "precision/replay/reference/reference.h"
#include "profiler/calls/call.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/calls/scalar_cache.h"
#include "profiler/overflow/overflow_event.h"
#include "profiler/stages/scaler_events.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

/// A scaler's state. updated() repeats the rule of LibTorch's `_amp_update_scale_`, so the new state need not be read
/// from a device.
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
  GradScalerStage(ScalerEvents& scaler, ParameterFacts& parameters)
      : scaler_(scaler),
        parameters_(parameters),
        known_([&scaler](const std::vector<at::Tensor>& numbers) { return scaler.numbers_of(numbers); }) {}

  bool wants(const OpInfo& info) const override { return info.unscales || info.updates_scale; }

  std::unique_ptr<StageCall> begin(Call& call) override;

  /// Call it after the unscaling op has run. `arguments`: gradients, found_inf, inv_scale. The op has written gradients
  /// and found_inf, and returns nothing.
  void look_at_unscaling(c10::ArrayRef<c10::IValue> arguments) {
    const std::lock_guard lock(mutex_);
    const std::vector<at::Tensor> gradients = reference::tensors_in(arguments[0]);
    const auto values = known_.of({arguments[1].toTensor(), arguments[2].toTensor()});
    const double scale = 1.0 / values[1];
    // A fused optimizer unscales in its own kernel. The op then only checks the gradients, and divides them by 1.
    if (!gradients.empty()) {
      scaler_.gradients_unscaled(gradients.front(), scale == 1.0 ? std::nullopt : std::optional(scale));
    }
    if (values[0] != 0) remember_bad_gradients(gradients, scale);
  }

  /// Call it before `_amp_update_scale_` runs. `arguments`: scale, growth_tracker, found_inf, growth factor, backoff
  /// factor, interval.
  void begin_update(c10::ArrayRef<c10::IValue> arguments) {
    const std::lock_guard lock(mutex_);
    tracker_ = arguments[1].toTensor();
    const auto values = known_.of({arguments[0].toTensor(), tracker_, arguments[2].toTensor()});
    before_ = {values[0], values[1]};
    overflow_ = values[2] > 0;
    after_ = before_.updated(overflow_, arguments[3].toDouble(), arguments[4].toDouble(), arguments[5].toInt());
  }

  void end_update(const at::Tensor& scale) {
    const std::lock_guard lock(mutex_);
    known_.put(scale, after_.scale);
    known_.put(tracker_, after_.growth_tracker);
    tracker_.reset();
    if (overflow_) {
      if (!event_) event_ = scaler_.begin_event();
      scaler_.overflowed(*std::move(event_),
                         {.scale_before = before_.scale, .scale_after = after_.scale, .skipped = true});
    }
    event_.reset();
    scaler_.scaler_decided(scale.unsafeGetTensorImpl(), before_.scale, after_.scale, overflow_);
    scaler_.scale_updated(0, before_.scale, after_.scale, overflow_, overflow_);
  }

 private:
  void remember_bad_gradients(const std::vector<at::Tensor>& gradients, double scale) {
    // Begin the event now: the optimizer may update in spite of the overflow, which discards facts of the backward
    // pass.
    if (!event_) event_ = scaler_.begin_event();
    std::vector<ScaledGradient> scaled;
    for (const at::Tensor& gradient : gradients) scaled.push_back({.gradient = gradient, .factor = scale});
    event_->add(scaled, [&](const ScaledGradient& bad) { return parameters_.owner_of_gradient(bad.gradient); });
  }

  ScalerEvents& scaler_;
  ParameterFacts& parameters_;
  std::mutex mutex_;
  ScalarCache known_;
  at::Tensor tracker_;  ///< the scaler's growth tracker during an update
  ScalerState before_{1.0, 0.0};
  ScalerState after_{1.0, 0.0};
  bool overflow_ = false;
  std::optional<OverflowEventBuilder> event_;  ///< nonfinite gradients since the last update of the scale
};

class UnscalingCall : public StageCall {
 public:
  UnscalingCall(GradScalerStage& stage, const Call& call) : stage_(stage), arguments_(call.arguments().vec()) {}

  void after(Call& /*call*/) override { stage_.look_at_unscaling(std::exchange(arguments_, {})); }

 private:
  GradScalerStage& stage_;
  std::vector<c10::IValue> arguments_;  ///< the program's own tensors, not copies, since the op writes to them
};

class ScaleUpdateCall : public StageCall {
 public:
  explicit ScaleUpdateCall(GradScalerStage& stage) : stage_(stage) {}

  void after(Call& call) override { stage_.end_update(call.results()[0].toTensor()); }

 private:
  GradScalerStage& stage_;
};

std::unique_ptr<StageCall> GradScalerStage::begin(Call& call) {
  if (call.info.updates_scale) {
    begin_update(call.arguments());
    return std::make_unique<ScaleUpdateCall>(*this);
  }
  return scaler_.has_engine() ? nullptr : std::make_unique<UnscalingCall>(*this, call);
}

}  // namespace

std::unique_ptr<Stage> make_grad_scaler_stage(ScalerEvents& scaler, ParameterFacts& parameters) {
  return std::make_unique<GradScalerStage>(scaler, parameters);
}

}  // namespace ampprof::profiler

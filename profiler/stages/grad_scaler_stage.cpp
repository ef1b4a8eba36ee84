// SPDX-License-Identifier: Apache-2.0
// Reads what a Python program's GradScaler does from the two ops that it is made of.

#include <ATen/ATen.h>

#include <mutex>

#include "profiler/observer/call.h"
#include "profiler/observer/gradient_report.h"
#include "profiler/observer/session.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

double value_of(const c10::IValue& scalar_tensor) { return scalar_tensor.toTensor().item<double>(); }

class GradScalerStage : public Stage {
 public:
  explicit GradScalerStage(Session& session) : session_(session) {}

  bool wants(const OpInfo& info) const override { return info.unscales || info.updates_scale; }

  void before(Call& call) override {
    if (call.info.unscales && !session_.has_engine()) {
      call.handles = call.arguments().vec();  // gradients, found_inf, inv_scale
      session_.scale_was(1.0 / value_of(call.arguments()[2]));
    }
    if (!call.info.updates_scale) return;
    const auto arguments = call.arguments();  // scale, growth_tracker, found_inf, …
    const std::lock_guard lock(mutex_);
    scale_before_ = value_of(arguments[0]);
    overflow_ = value_of(arguments[2]) > 0;
  }

  void after(Call& call) override {
    if (!call.handles.empty()) remember_bad_gradients(call);
    if (call.info.updates_scale) report_update(call);
  }

 private:
  // The op returns nothing: it writes to its arguments, which are the gradients, found_inf and inv_scale.
  void remember_bad_gradients(Call& call) {
    const std::lock_guard lock(mutex_);
    const auto& arguments = call.handles;
    if (value_of(arguments[1]) == 0) return;
    const double scale = 1.0 / value_of(arguments[2]);
    for_each_tensor(arguments[0], [&](const at::Tensor& gradient) {
      if (auto bad = report_if_nonfinite(gradient, scale)) {
        bad->name = session_.owner_of_gradient(gradient);
        bad_gradients_.push_back(std::move(*bad));
      }
    });
  }

  void report_update(Call& call) {
    const std::lock_guard lock(mutex_);
    const double scale_after = value_of(call.results()[0]);
    if (overflow_) {
      OverflowEvent event;
      event.scale_before = scale_before_;
      event.scale_after = scale_after;
      event.skipped = true;
      event.parameters = std::move(bad_gradients_);
      session_.overflowed(std::move(event));
      session_.update_skipped();
    }
    bad_gradients_.clear();
    session_.scale_updated(0, scale_before_, scale_after, overflow_, overflow_);
    session_.scale_in_force(scale_after);
  }

  Session& session_;
  std::mutex mutex_;
  double scale_before_ = 1.0;
  bool overflow_ = false;
  std::vector<EventParameter> bad_gradients_;
};

}  // namespace

std::unique_ptr<Stage> make_grad_scaler_stage(Session& session) { return std::make_unique<GradScalerStage>(session); }

}  // namespace ampprof::profiler

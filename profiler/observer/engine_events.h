// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "profiler/stages/scaler_events.h"
#include "reports/records/op_call.h"

namespace ampprof::profiler {

class Segments;
struct SessionCore;

/// Takes what an AMP engine does, and, through the GradScaler stage, what a GradScaler does. Thread-safe.
class EngineEvents final : public ScalerEvents {
 public:
  EngineEvents(SessionCore& core, Segments& segments) : core_(core), segments_(segments) {}

  // An AMP engine.
  void started(const std::string& level);
  void master_created(const at::Tensor& parameter, const at::Tensor& master);
  /// It rounded an input of a model.
  void input_rounded(const at::Tensor& original, const at::Tensor& rounded);
  /// It inserted a cast in the call in progress on this thread, or after the call that this thread just made. Segment
  /// and call site of `cast` are filled in here.
  void cast_inserted(const CastRecord& cast);
  /// It computed the call in progress on this thread in a recipe.
  void ran_in_recipe(const at::Tensor& result);
  static bool has_run_in_recipe() { return has_run_in_recipe_.load(std::memory_order_relaxed); }
  void loss_seen(int loss_id, const at::Tensor& loss, double scale);
  void backward_ended();

  // Either.
  bool has_engine() const override;
  OverflowEventBuilder begin_event() override;
  void overflowed(OverflowEventBuilder event, NonfiniteTrace::Decision decision) override;
  void scale_updated(int loss_id, double before, double after, bool overflow, bool skipped) override;

  // A GradScaler.
  std::vector<double> numbers_of(const std::vector<at::Tensor>& tensors) override;
  void gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale) override;
  void scaler_decided(const void* scaler, double before, double after, bool overflow) override;

 private:
  SessionCore& core_;
  Segments& segments_;
  static inline std::atomic<bool> has_run_in_recipe_ = false;  ///< in this process
};

}  // namespace ampprof::profiler

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

/// Handles the events of an AMP engine and, through the GradScaler stage, of a GradScaler. Thread-safe.
class EngineEvents final : public ScalerEvents {
 public:
  EngineEvents(SessionCore& core, Segments& segments) : core_(core), segments_(segments) {}

  // Events of an AMP engine.
  void started(const std::string& level);
  void master_created(const at::Tensor& parameter, const at::Tensor& master);
  /// Keeps the values of a model's input from before the engine rounded them.
  void input_rounded(const at::Tensor& original, const at::Tensor& rounded);
  /// Records a cast by the engine. The cast belongs to the call in progress on this thread, or else to the thread's
  /// last call. Fills in the segment and call site of `cast`.
  void cast_inserted(const CastRecord& cast);
  /// Notes that the engine computed the call in progress on this thread with a recipe.
  void ran_in_recipe(const at::Tensor& result);
  static bool has_run_in_recipe() { return has_run_in_recipe_.load(std::memory_order_relaxed); }
  void loss_seen(int loss_id, const at::Tensor& loss, double scale);
  void backward_ended();

  // Events of an AMP engine and of a GradScaler.
  bool has_engine() const override;
  OverflowEventBuilder begin_event() override;
  void overflowed(OverflowEventBuilder event, NonfiniteTrace::Decision decision) override;
  void scale_updated(int loss_id, double before, double after, bool overflow, bool skipped) override;

  // Events of a GradScaler.
  std::vector<double> numbers_of(const std::vector<at::Tensor>& tensors) override;
  void gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale) override;
  void scaler_decided(const void* scaler, double before, double after, bool overflow) override;

 private:
  SessionCore& core_;
  Segments& segments_;
  static inline std::atomic<bool> has_run_in_recipe_ = false;  ///< a call of this process was computed with a recipe
};

}  // namespace ampprof::profiler

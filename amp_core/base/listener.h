// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace amp {

struct Properties;

/// The gradient of one parameter after a backward pass. The pointer is valid during the call only.
struct GradientView {
  const at::Tensor* parameter = nullptr;  ///< the model's parameter
  const at::Tensor* gradient =
      nullptr;          ///< dense; of a sparse gradient the values, coalesced where they have no master
  double factor = 1.0;  ///< gradient as the backward made it = *gradient * factor (the loss scale once it is unscaled)
};

/// A backward pass whose gradients hold a NaN or inf.
struct Overflow {
  int loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;                 ///< the next update of the optimizers is skipped for it
  std::vector<GradientView> gradients;  ///< all of the pass, the finite ones too
};

/// One cast that the engine inserted, in a function call or of a model's inputs.
struct InsertedCast {
  c10::ScalarType from;
  c10::ScalarType to;
  std::int64_t bytes = 0;        ///< written; 0 where the cast cache had the copy
  std::int64_t duration_ns = 0;  ///< likewise
  bool cache_hit = false;
};

/// Told what the engine does, on the thread that does it. Every event is optional; none may throw.
///
/// The engine costs nothing extra while nobody listens. The profiler is one listener, a user's log can be another.
class Listener {
 public:
  virtual ~Listener() = default;

  virtual void initialized(const Properties&) {}
  /// An FP32 master copy was made for a half parameter. Both live as long as the optimizer.
  virtual void master_created(const at::Tensor& /*model_parameter*/, const at::Tensor& /*master*/) {}
  /// amp::forward() enters or leaves the outermost call of a model.
  virtual void forward_begun(const void* /*module*/) {}
  virtual void forward_ended(const void* /*module*/) {}
  /// Before backward; `loss` is not scaled yet.
  virtual void loss_seen(int /*loss_id*/, const at::Tensor& /*loss*/, double /*scale*/) {}
  /// After backward; before gradients are unscaled.
  virtual void backward_ended(int /*loss_id*/) {}
  /// The engine is about to read tensors of one element each, on devices, for listeners alone. One that has to wait for
  /// the devices itself may read them along and return their values; empty leaves it to the engine.
  virtual std::vector<double> read_with_listener(const std::vector<at::Tensor>& /*numbers*/) { return {}; }
  virtual void overflowed(const Overflow&) {}
  virtual void scale_updated(int /*loss_id*/, double /*before*/, double /*after*/, bool /*overflow*/) {}
  /// Ranks that train copies of a model have different scales for this loss.
  virtual void scales_differ(int /*loss_id*/, double /*least*/, double /*largest*/) {}
  virtual void step_begun(const void* /*optimizer*/) {}
  virtual void step_ended(const void* /*optimizer*/, bool /*skipped*/) {}
  virtual void cast_inserted(const InsertedCast&) {}
  /// Takes what a call on this thread computed in a recipe, which rounds operands of its matmuls, before it returns.
  virtual void ran_in_recipe(const at::Tensor& /*result*/) {}
  /// amp::forward() cast a tensor among a model's inputs.
  virtual void input_cast(const at::Tensor& /*original*/, const at::Tensor& /*cast*/) {}
};

/// Adds a listener for the whole process; it must outlive its removal. Thread-safe.
void add_listener(Listener* listener);
void remove_listener(Listener* listener);

}  // namespace amp

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

/// The gradient of one parameter after a backward pass. The pointers are valid only during the call.
struct GradientView {
  const at::Tensor* parameter = nullptr;  ///< the model's parameter
  const at::Tensor* gradient = nullptr;   ///< dense; for a sparse gradient its values, coalesced if it has no master
  double factor = 1.0;  ///< the backward's gradient = *gradient * factor (the loss scale if already unscaled)
};

/// A backward pass whose gradients contain NaN or inf.
struct Overflow {
  int loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;                 ///< the next update of these optimizers is skipped
  std::vector<GradientView> gradients;  ///< all of the pass, including finite ones
};

/// A cast that the engine inserted, in a function call or for a model's inputs.
struct InsertedCast {
  c10::ScalarType from;
  c10::ScalarType to;
  std::int64_t bytes = 0;        ///< bytes written; 0 if the cast cache had the copy
  std::int64_t duration_ns = 0;  ///< 0 if the cast cache had the copy
  bool cache_hit = false;
};

/// Is told what the engine does, on the thread that does it. Every event is optional; none may throw. Pointers are
/// valid during the call only, unless an event says more; a tensor may be copied.
///
/// Without listeners the engine has no extra cost. The profiler is one listener; a user's log can be another.
class Listener {
 public:
  virtual ~Listener() = default;

  /// initialize() has set up a level.
  virtual void initialized(const Properties& /*properties*/) {}
  /// An FP32 master copy was made for a half parameter. Both live as long as the optimizer.
  virtual void master_created(const at::Tensor& /*model_parameter*/, const at::Tensor& /*master*/) {}
  /// amp::forward() enters the outermost call of a model, which the address identifies.
  virtual void forward_begun(const void* /*module*/) {}
  /// amp::forward() leaves that call, by an exception too.
  virtual void forward_ended(const void* /*module*/) {}
  /// scale_loss() is about to run backward; `loss` is not scaled yet.
  virtual void loss_seen(int /*loss_id*/, const at::Tensor& /*loss*/, double /*scale*/) {}
  /// Backward has run; gradients are not unscaled yet.
  virtual void backward_ended(int /*loss_id*/) {}
  /// Called before the engine reads one-element tensors from devices only for listeners. A listener that must wait for
  /// the devices anyway may read them at the same time and return their values; empty leaves it to the engine.
  virtual std::vector<double> read_with_listener(const std::vector<at::Tensor>& /*numbers*/) { return {}; }
  /// A pass has overflowed.
  virtual void overflowed(const Overflow& /*overflow*/) {}
  /// A pass was counted, and the scale of its loss has or has not changed.
  virtual void scale_updated(int /*loss_id*/, double /*before*/, double /*after*/, bool /*overflow*/) {}
  /// Called when ranks that train copies of a model have different scales for this loss.
  virtual void scales_differ(int /*loss_id*/, double /*least*/, double /*largest*/) {}
  /// step() begins.
  virtual void step_begun(const void* /*optimizer*/) {}
  /// step() ends; `skipped` if the optimizer did not step.
  virtual void step_ended(const void* /*optimizer*/, bool /*skipped*/) {}
  /// The engine has cast a tensor.
  virtual void cast_inserted(const InsertedCast& /*cast*/) {}
  /// Takes what a call on this thread computed in a recipe, which rounds operands of its matmuls, before it returns.
  virtual void ran_in_recipe(const at::Tensor& /*result*/) {}
  /// Called when amp::forward() casts a tensor among a model's inputs.
  virtual void input_cast(const at::Tensor& /*original*/, const at::Tensor& /*cast*/) {}
};

/// Adds a listener for the whole process, which does not own it: it must outlive its removal. Thread-safe.
void add_listener(Listener* listener);
/// Removes a listener. An event that another thread tells at this moment may still reach it. Thread-safe.
void remove_listener(Listener* listener);

}  // namespace amp

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
  const at::Tensor* gradient = nullptr;   ///< if sparse: its values tensor (coalesced if there is no master)
  double factor = 1.0;                    ///< loss scale that *gradient was divided by; 1 if it was not divided
};

/// A backward pass whose gradients contain NaN or inf.
struct Overflow {
  int loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;                 ///< the optimizers of this pass skip their next step
  std::vector<GradientView> gradients;  ///< all gradients of the pass, finite ones too
};

/// A cast that the engine inserted, in a function call or for a model's inputs.
struct InsertedCast {
  c10::ScalarType from;
  c10::ScalarType to;
  std::int64_t bytes = 0;        ///< bytes written; 0 if the cast cache had the copy
  std::int64_t duration_ns = 0;  ///< 0 if the cast cache had the copy
  bool cache_hit = false;
};

/// Receives the engine's events, each on the thread where it occurs. All functions are optional, and none may throw.
/// Pointers are valid only during the call unless a comment says otherwise; a tensor may be copied.
///
/// Without listeners the engine has no extra cost. The profiler is a listener; a program may add its own, such as a
/// log.
class Listener {
 public:
  virtual ~Listener() = default;

  /// initialize() has set up a level.
  virtual void initialized(const Properties& /*properties*/) {}
  /// An FP32 master copy was made for a half parameter. Both tensors live as long as the optimizer.
  virtual void master_created(const at::Tensor& /*model_parameter*/, const at::Tensor& /*master*/) {}
  /// amp::forward() enters the outermost call of a model, which the address identifies.
  virtual void forward_begun(const void* /*module*/) {}
  /// amp::forward() leaves a model's outermost call, whether it returns or throws.
  virtual void forward_ended(const void* /*module*/) {}
  /// scale_loss() is about to run backward; `loss` is not scaled yet.
  virtual void loss_seen(int /*loss_id*/, const at::Tensor& /*loss*/, double /*scale*/) {}
  /// Backward has run; gradients are not unscaled yet.
  virtual void backward_ended(int /*loss_id*/) {}
  /// Called before the engine reads one-element tensors from devices only because there are listeners. A listener that
  /// must wait for the devices anyway may read the tensors and return their values, so that the engine need not wait
  /// again. If the result is empty, the engine reads the tensors.
  virtual std::vector<double> read_with_listener(const std::vector<at::Tensor>& /*numbers*/) { return {}; }
  /// A backward pass has overflowed.
  virtual void overflowed(const Overflow& /*overflow*/) {}
  /// The scaler has counted a backward pass. `before` and `after` are the loss scales before and after this count; they
  /// may be equal.
  virtual void scale_updated(int /*loss_id*/, double /*before*/, double /*after*/, bool /*overflow*/) {}
  /// Called when ranks that train copies of a model have different scales for this loss.
  virtual void scales_differ(int /*loss_id*/, double /*least*/, double /*largest*/) {}
  /// step() begins.
  virtual void step_begun(const void* /*optimizer*/) {}
  /// step() ends. `skipped`: the optimizer did not update its parameters.
  virtual void step_ended(const void* /*optimizer*/, bool /*skipped*/) {}
  /// The engine has cast a tensor.
  virtual void cast_inserted(const InsertedCast& /*cast*/) {}
  /// A call on this thread has run its matmuls with operands that a recipe rounded. Called before the call returns.
  virtual void ran_in_recipe(const at::Tensor& /*result*/) {}
  /// Called when amp::forward() casts a tensor among a model's inputs.
  virtual void input_cast(const at::Tensor& /*original*/, const at::Tensor& /*cast*/) {}
};

/// Adds a listener for the whole process. The caller owns the listener and must remove it before destroying it.
/// Thread-safe.
void add_listener(Listener* listener);
/// Removes a listener. An event that another thread sends at the same time may still reach it. Thread-safe.
void remove_listener(Listener* listener);

}  // namespace amp

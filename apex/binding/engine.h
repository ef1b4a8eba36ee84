// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/custom_class.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "amp_core/amp.h"
#include "apex/binding/model.h"
#include "apex/binding/optimizer.h"
#include "apex/binding/options.h"

namespace apex {

using Models = std::vector<c10::intrusive_ptr<Model>>;
using Optimizers = std::vector<c10::intrusive_ptr<Optimizer>>;

/// The `with` block of amp.scale_loss().
class ScaleLoss : public torch::CustomClassHolder {
 public:
  ScaleLoss(const at::Tensor& loss, Optimizers optimizers, const amp::ScaleLossOptions& options);

  /// Begins the block. Returns the block, the loss to call backward on, and whether the call has made masters, for
  /// parameters that require grad only since the last call.
  static std::tuple<c10::intrusive_ptr<ScaleLoss>, at::Tensor, bool> begin(const at::Tensor& loss,
                                                                           const Optimizers& optimizers,
                                                                           std::int64_t loss_id, bool delay_unscale,
                                                                           bool delay_overflow_check);
  /// Ends the block. If finish() throws, gradients are as they were before the block.
  void finish();
  /// Ends the block after an exception: restores the gradients from before the block.
  void undo() { call_.reset(); }

 private:
  Optimizers optimizers_;  ///< keeps the optimizers alive that call_ refers to
  std::unique_ptr<amp::ScaleLossCall> call_;
};

/// Wraps each call of an optimizer's step() in begin() and end(). Calls must not overlap.
class Step : public torch::CustomClassHolder {
 public:
  explicit Step(c10::intrusive_ptr<Optimizer> optimizer) : optimizer_(std::move(optimizer)) {}

  /// Begins a call. Returns whether the optimizer may step. Call end() in both cases.
  bool begin(bool calls_closure);
  /// Ends a call. `has_stepped`: the optimizer's own step() has returned. Only then copies masters to the model.
  void end(bool has_stepped);

 private:
  c10::intrusive_ptr<Optimizer> optimizer_;
  std::unique_ptr<amp::StepCall> call_;
};

/// Disables casts on this thread until end().
class NoCasts : public torch::CustomClassHolder {
 public:
  void end() { casts_off_.reset(); }

 private:
  std::optional<amp::DisableCasts> casts_off_{std::in_place};
};

/// Binds the functions of amp.h, which act on the calling thread.
class Engine : public torch::CustomClassHolder {
 public:
  void initialize(const Models& models, const Optimizers& optimizers, const Words& options);
  void shutdown();
  /// Returns whether initialize() enabled amp; empty before initialize().
  std::optional<bool> is_enabled();

  /// Returns the types to which a model's inputs and outputs are cast, such as "float16"; "" for no cast.
  std::tuple<std::string, std::string> model_types();
  at::Tensor cast(const at::Tensor& tensor, const std::string& type);

  /// Returns the half parameters of an optimizer, and the masters that the optimizer updates instead.
  std::tuple<Tensors, Tensors> masters_of(const c10::intrusive_ptr<Optimizer>& optimizer);
  /// Makes masters of parameters that were added after initialize().
  void make_masters(const c10::intrusive_ptr<Optimizer>& optimizer);

  /// Returns whether cast rules can name the function: an op, or a function of torch.nn.functional.
  bool knows_function(const std::string& name);
  void register_function(const std::string& policy, const std::string& name);
  /// Returns the type to which a registered function of the script casts its floating `tensors`; "" if casts are not
  /// in force on this thread.
  std::string type_for_function(const std::string& policy, const Tensors& tensors);

  double loss_scale(std::int64_t loss_id);
  /// Returns the scale of each loss, and the number of clean passes in a row since the scale last changed.
  std::vector<std::tuple<double, std::int64_t>> loss_scalers();
  void load_loss_scalers(const c10::Dict<std::string, c10::Dict<std::string, double>>& scalers);

  Tensors checkpoint_tensors(const Tensors& tensors);
  void load_masters(const Tensors& parameters, const Tensors& values);
};

}  // namespace apex

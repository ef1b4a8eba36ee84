// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>
#include <torch/custom_class.h>
#include <torch/optim/optimizer.h>

#include <memory>
#include <string>
#include <vector>

#include "apex/binding/model.h"

namespace apex {

using Settings = c10::Dict<std::string, c10::IValue>;
using NamedTensors = c10::Dict<std::string, at::Tensor>;

/// An optimizer of Python as amp_core sees it: its parameters in groups. Python runs its step.
class Optimizer : public torch::CustomClassHolder {
 public:
  explicit Optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer) : optimizer_(std::move(optimizer)) {}

  static c10::intrusive_ptr<Optimizer> of_python();

  torch::optim::Optimizer& get() const { return *optimizer_; }
  void add_group(Tensors parameters);

 private:
  std::shared_ptr<torch::optim::Optimizer> optimizer_;
};

/// Names the types of options and state, in which the fused optimizers of amp_core differ.
struct FusedKind;

/// A fused optimizer of amp_core, which runs the step. Python has its options and state by name.
class FusedOptimizer : public torch::CustomClassHolder {
 public:
  /// `kind` is "FusedAdam" and so on. Throws amp::Error for another one.
  explicit FusedOptimizer(const std::string& kind);

  /// To hand to the engine, which sees the same groups.
  c10::intrusive_ptr<Optimizer> optimizer() const { return optimizer_; }
  /// Sets options of a group. Names that the optimizer has no option for are left alone. Throws amp::Error for values
  /// out of range.
  void set_options(std::int64_t group, const Settings& options);
  void step();
  /// Returns the state of a parameter by name; empty before its first step.
  NamedTensors state_of(const at::Tensor& parameter) const;
  void set_state(const at::Tensor& parameter, const NamedTensors& state);

 private:
  const FusedKind* kind_;
  c10::intrusive_ptr<Optimizer> optimizer_;
};

}  // namespace apex

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>
#include <torch/custom_class.h>
#include <torch/optim/optimizer.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "apex/binding/model.h"

namespace apex {

using Settings = c10::Dict<std::string, c10::IValue>;
using NamedTensors = c10::Dict<std::string, at::Tensor>;

/// An optimizer of Python as amp_core sees it: its parameters in groups. Python runs its step.
class Optimizer : public torch::CustomClassHolder {
 public:
  explicit Optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer) : optimizer_(std::move(optimizer)) {}
  /// The engine, which knows the optimizer by its address, forgets it.
  ~Optimizer() override;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

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
  /// Sets parameters and options of a group, which may be one more than there are. Options that the optimizer does not
  /// have are left alone. Throws amp::Error for values out of range.
  void set_group(std::int64_t group, const Tensors& parameters, const Settings& options);
  /// Runs the step with the parameters' states, place by place, which are empty before a parameter's first step.
  /// Returns the places whose states are others now, and these; the rest was updated in place.
  std::tuple<std::vector<std::int64_t>, std::vector<NamedTensors>> step(const Tensors& parameters,
                                                                        const std::vector<NamedTensors>& states);

 private:
  const FusedKind* kind_;
  c10::intrusive_ptr<Optimizer> optimizer_;
};

}  // namespace apex

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

/// A Python optimizer as amp_core sees it: only its parameter groups. Python runs the step.
class Optimizer : public torch::CustomClassHolder {
 public:
  explicit Optimizer(std::shared_ptr<torch::optim::Optimizer> optimizer) : optimizer_(std::move(optimizer)) {}
  /// Makes the engine forget the optimizer, which it identifies by address.
  ~Optimizer() override;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  static c10::intrusive_ptr<Optimizer> of_python();

  torch::optim::Optimizer& get() const { return *optimizer_; }
  void add_group(Tensors parameters);

 private:
  std::shared_ptr<torch::optim::Optimizer> optimizer_;
};

/// The functions that differ between amp_core's fused optimizers, because each has its own option and state types.
struct FusedKind;

/// A fused optimizer, whose step amp_core runs. Python keeps its options and state, by name.
class FusedOptimizer : public torch::CustomClassHolder {
 public:
  /// `kind`: the name of the Python class, such as "FusedAdam". Throws amp::Error for an unknown name.
  explicit FusedOptimizer(const std::string& kind);

  /// Returns the optimizer to pass to the engine. It has the same groups.
  c10::intrusive_ptr<Optimizer> optimizer() const { return optimizer_; }
  /// Sets the parameters and options of the group with index `group`; adds a group if the index is the number of
  /// groups. Ignores options that the optimizer does not have. Throws amp::Error for values out of range.
  void set_group(std::int64_t group, const Tensors& parameters, const Settings& options);
  /// Runs the step. `states`: the state of each parameter, empty before its first step. Returns the indices of the
  /// parameters whose state was replaced, with the new states. All other states were updated in place.
  std::tuple<std::vector<std::int64_t>, std::vector<NamedTensors>> step(const Tensors& parameters,
                                                                        const std::vector<NamedTensors>& states);

 private:
  const FusedKind* kind_;
  c10::intrusive_ptr<Optimizer> optimizer_;
};

}  // namespace apex

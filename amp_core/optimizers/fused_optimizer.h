// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/optim/optimizer.h>
#include <torch/optim/serialize.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "amp_core/optimizers/bucket.h"
#include "amp_core/optimizers/found_inf.h"

namespace amp {

/// The base of the fused optimizers: sorts parameters into buckets, and handles state and flags. A derived class
/// updates a bucket.
class FusedOptimizer : public torch::optim::Optimizer, public SkipsOnDevice {
 public:
  FusedOptimizer(const std::vector<torch::optim::OptimizerParamGroup>& groups,
                 std::unique_ptr<torch::optim::OptimizerOptions> defaults);

  /// Hides LibTorch's function, which since LibTorch 2.15 drops the options of a group if LibTorch does not know their
  /// type.
  void add_param_group(const torch::optim::OptimizerParamGroup& group);

  at::Tensor step(LossClosure closure = nullptr) final;
  void skip_if(at::Tensor found_inf) final;
  void unscale_by(at::Tensor loss_scale) final;

 protected:
  using Options = torch::optim::OptimizerOptions;
  using State = torch::optim::OptimizerParamState;

  /// Called with the buckets of all groups before the first update, for computations across groups.
  virtual void prepare(std::vector<Bucket>&) {}
  virtual void update(const Options& options, Bucket& bucket) = 0;
  /// Returns the initial state of a parameter. `updated` is the parameter itself or its copy.
  virtual std::unique_ptr<State> new_state(const at::Tensor& updated) const = 0;

 private:
  void find_states(Bucket& bucket);

  StepFlags flags_;
};

/// Implements the parts that depend only on the types of options and state. Constructors take parameters or parameter
/// groups, and default options for groups without options. They throw Error for an option out of its range.
template <class TheOptions, class TheState>
class FusedOptimizerOf : public FusedOptimizer {
 public:
  explicit FusedOptimizerOf(const std::vector<torch::optim::OptimizerParamGroup>& groups,
                            const TheOptions& defaults = {})
      : FusedOptimizer(groups, std::make_unique<TheOptions>(defaults)) {
    for (const auto& group : param_groups()) static_cast<const TheOptions&>(group.options()).check();
    defaults.check();
  }
  explicit FusedOptimizerOf(std::vector<at::Tensor> parameters, const TheOptions& defaults = {})
      : FusedOptimizerOf({torch::optim::OptimizerParamGroup(std::move(parameters))}, defaults) {}

  void save(torch::serialize::OutputArchive& archive) const override {
    torch::optim::serialize<TheState, TheOptions>(archive, *this);
  }
  void load(torch::serialize::InputArchive& archive) override {
    torch::optim::serialize<TheState, TheOptions>(archive, *this);
  }

 protected:
  virtual void update(const TheOptions& options, Bucket& bucket) = 0;

  std::unique_ptr<State> new_state(const at::Tensor& updated) const override {
    return std::make_unique<TheState>(TheState::before_first_step(updated));
  }

 private:
  void update(const Options& options, Bucket& bucket) final { update(static_cast<const TheOptions&>(options), bucket); }
};

/// Returns a step count of zero on the parameter's device, since only the device knows whether a step was skipped.
at::Tensor zero_steps(const at::Tensor& updated);

/// Throws Error with the text `what` unless `is_right`.
void check_option(bool is_right, const std::string& what);
/// Throws Error naming the first of these options that is negative or NaN.
void check_not_negative(std::initializer_list<std::pair<const char*, double>> options);
/// Throws Error unless both betas are at least 0 and less than 1.
void check_betas(const std::tuple<double, double>& betas);

}  // namespace amp

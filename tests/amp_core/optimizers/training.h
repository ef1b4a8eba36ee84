// SPDX-License-Identifier: Apache-2.0
// Shared parts of the tests of optimizers: parameters with given gradients, and the list of all fused optimizers.
#pragma once

#include <torch/optim.h>
#include <torch/serialize.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "amp_core/optimizers.h"

namespace amp::testing_optimizers {

using Tensors = std::vector<at::Tensor>;
using Groups = std::vector<torch::optim::OptimizerParamGroup>;
using OptimizerPtr = std::unique_ptr<torch::optim::Optimizer>;

/// Returns random leaves of these shapes that require gradients.
inline Tensors parameters_like(const std::vector<std::vector<std::int64_t>>& shapes, at::ScalarType type = at::kFloat,
                               std::uint64_t seed = 1) {
  torch::manual_seed(seed);
  Tensors parameters;
  for (const auto& shape : shapes) parameters.push_back(torch::randn(shape).to(type).requires_grad_());
  return parameters;
}

inline Tensors clones_of(const Tensors& tensors, std::optional<at::ScalarType> type = std::nullopt) {
  Tensors clones;
  for (const auto& tensor : tensors) {
    const auto clone = tensor.detach().to(type.value_or(tensor.scalar_type()), false, /*copy=*/true);
    clones.push_back(clone.requires_grad_(tensor.requires_grad()));
  }
  return clones;
}

/// Sets the gradients of a step. They depend only on `step` and the shapes, and are rounded to half so that every type
/// represents them. `factor` is a power of two.
inline void set_gradients(const Tensors& parameters, int step, double factor = 1) {
  torch::manual_seed(1000 + step);
  for (const auto& parameter : parameters) {
    const at::Tensor gradient = torch::randn(parameter.sizes()).to(at::kHalf).to(parameter.scalar_type()) * factor;
    parameter.mutable_grad() = torch::empty_like(parameter.detach()).copy_(gradient);
  }
}

inline double largest_difference(const Tensors& a, const Tensors& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].numel() == 0) continue;
    largest =
        std::max(largest, (a[i].detach().to(at::kDouble) - b[i].detach().to(at::kDouble)).abs().max().item<double>());
  }
  return largest;
}

inline bool all_equal(const Tensors& a, const Tensors& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!at::equal(a[i], b[i])) return false;
  }
  return a.size() == b.size();
}

/// A fused optimizer with settings that use every part of it.
struct Kind {
  std::string name;
  std::function<OptimizerPtr(const Groups&)> make;
};

inline void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

template <class Optimizer, class Options>
Kind kind(std::string name, Options options) {
  return {std::move(name), [options](const Groups& groups) { return std::make_unique<Optimizer>(groups, options); }};
}

inline std::vector<Kind> all_kinds() {
  return {
      kind<FusedAdam>("AdamL2", FusedAdamOptions(0.01).adam_w_mode(false).weight_decay(0.1)),
      kind<FusedAdamW>("AdamW", FusedAdamOptions(0.01).weight_decay(0.1)),
      kind<FusedAdam>("AdamUncorrected", FusedAdamOptions(0.01).bias_correction(false)),
      kind<FusedSGD>("Sgd", FusedSGDOptions(0.1)),
      kind<FusedSGD>("SgdNesterov", FusedSGDOptions(0.1).momentum(0.9).nesterov(true).weight_decay(0.1)),
      kind<FusedSGD>("SgdDampened", FusedSGDOptions(0.1).momentum(0.9).dampening(0.5).weight_decay(0.1)),
      kind<FusedSGD>("SgdDecayedAfter", FusedSGDOptions(0.1).momentum(0.9).wd_after_momentum(true).weight_decay(0.1)),
      kind<FusedAdagrad>("Adagrad", FusedAdagradOptions(0.1).weight_decay(0.1)),
      kind<FusedLAMB>("Lamb", FusedLAMBOptions(0.01).weight_decay(0.1)),
      kind<FusedLAMB>("LambL2", FusedLAMBOptions(0.01).adam_w_mode(false).bias_correction(false).grad_averaging(false)),
      kind<FusedLAMB>("LambWithoutMoments", FusedLAMBOptions(0.01).betas({0.0, 0.0}).use_nvlamb(true)),
      kind<FusedNovoGrad>("NovoGrad", FusedNovoGradOptions(0.1).weight_decay(0.1)),
      kind<FusedNovoGrad>("NovoGradOfTheLargest", FusedNovoGradOptions(0.1).norm_type(0).reg_inside_moment(true)),
      kind<FusedAdagrad>("AdagradDecoupled", FusedAdagradOptions(0.1).weight_decay(0.1).adagrad_w_mode(true))};
}

inline SkipsOnDevice& on_device(torch::optim::Optimizer& optimizer) { return dynamic_cast<SkipsOnDevice&>(optimizer); }

/// Returns the whole state of an optimizer as text. Two texts are equal exactly if the states are bitwise equal.
inline std::string bits_of(const torch::optim::Optimizer& optimizer) {
  std::ostringstream stream;
  torch::serialize::OutputArchive archive;
  optimizer.save(archive);
  archive.save_to(stream);
  return stream.str();
}

}  // namespace amp::testing_optimizers

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/optim/optimizer.h>

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

/// Models and optimizers as arguments of initialize() and scale_loss(): one or several of each.
namespace amp {

/// Returns the module itself.
inline torch::nn::Module& module_of(torch::nn::Module& module) { return module; }

/// Returns the module that a shared pointer, not null, owns.
template <std::derived_from<torch::nn::Module> Module>
torch::nn::Module& module_of(const std::shared_ptr<Module>& module) {
  return *module;
}

/// Returns the module in a module holder such as torch::nn::Linear.
template <class Holder>
requires std::derived_from<Holder, torch::nn::ModuleHolder<typename Holder::ContainedType>> torch::nn::Module&
module_of(const Holder& holder) {
  return *holder.ptr();
}

/// A module, a shared pointer to one, or a module holder.
template <class Model>
concept IsModel = requires(Model& model) {
  module_of(model);
};

/// A reference to a model, however the program holds it.
class ModelRef {
 public:
  template <IsModel Model>
  ModelRef(Model& model) : module_(&module_of(model)) {}  // NOLINT(google-explicit-constructor)

  torch::nn::Module& get() const { return *module_; }

 private:
  torch::nn::Module* module_;
};

/// One or several models as an argument: `net`, or `{generator, discriminator}`.
class Models {
 public:
  template <IsModel Model>
  Models(Model& model) : models_{ModelRef(model)} {}  // NOLINT(google-explicit-constructor)
  Models(std::initializer_list<ModelRef> models) : models_(models) {}
  explicit Models(std::vector<ModelRef> models) : models_(std::move(models)) {}

  auto begin() const { return models_.begin(); }
  auto end() const { return models_.end(); }

 private:
  std::vector<ModelRef> models_;
};

/// One or several optimizers as an argument: `optimizer`, or `{first, second}`.
class Optimizers {
 public:
  using Ref = std::reference_wrapper<torch::optim::Optimizer>;

  Optimizers() = default;
  Optimizers(torch::optim::Optimizer& optimizer) : optimizers_{optimizer} {}  // NOLINT(google-explicit-constructor)
  Optimizers(std::initializer_list<Ref> optimizers) : optimizers_(optimizers) {}
  explicit Optimizers(std::vector<Ref> optimizers) : optimizers_(std::move(optimizers)) {}

  auto begin() const { return optimizers_.begin(); }
  auto end() const { return optimizers_.end(); }

 private:
  std::vector<Ref> optimizers_;
};

}  // namespace amp

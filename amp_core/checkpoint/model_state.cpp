// SPDX-License-Identifier: Apache-2.0
#include <torch/nn/module.h>
#include <torch/serialize/archive.h>
#include <torch/utils.h>

#include <map>

#include "amp_core/base/scalar_types.h"
#include "amp_core/checkpoint/checkpoint.h"
#include "amp_core/engine/engine.h"

namespace amp {
namespace {

using Tensors = torch::OrderedDict<std::string, at::Tensor>;

/// The masters of the calling thread's engine, by model parameter.
class Masters {
 public:
  Masters() {
    const Engine* engine = find_engine();
    if (engine == nullptr) return;
    for (const auto& state : engine->optimizers) {
      for (const MasterPair& pair : state->masters) master_of_.emplace(pair.model.unsafeGetTensorImpl(), pair.master);
    }
  }

  /// Returns the master; undefined if the parameter has none.
  at::Tensor of(const at::Tensor& parameter) const {
    const auto found = master_of_.find(parameter.unsafeGetTensorImpl());
    return found == master_of_.end() ? at::Tensor() : found->second;
  }

  /// Returns a parameter or buffer as a checkpoint stores it.
  at::Tensor saved(const at::Tensor& tensor) const {
    const at::Tensor master = of(tensor);
    const at::Tensor exact = master.defined() ? master : tensor;
    const auto type = is_reduced(exact.scalar_type()) ? at::kFloat : exact.scalar_type();
    return exact.detach().to(exact.options().dtype(type), /*non_blocking=*/false, /*copy=*/true);
  }

 private:
  std::map<const c10::TensorImpl*, at::Tensor> master_of_;
};

/// Returns all parameters and buffers by name.
Tensors all_tensors(const torch::nn::Module& module) {
  Tensors all;
  for (const auto& item : module.named_parameters()) all.insert(item.key(), item.value());
  for (const auto& item : module.named_buffers()) all.insert(item.key(), item.value());
  return all;
}

std::string text_of(at::IntArrayRef sizes) {
  std::string text;
  for (const auto size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "a scalar" : text;
}

std::string mismatch(const std::string& name, const at::Tensor& here, const at::Tensor* saved) {
  if (saved == nullptr || !saved->defined()) return name + " is missing";
  if (saved->sizes() != here.sizes()) return name + " is " + text_of(saved->sizes()) + ", not " + text_of(here.sizes());
  if (saved->is_floating_point() != here.is_floating_point()) return name + " is " + toString(saved->scalar_type());
  return "";
}

void check(const Tensors& here, const Tensors& saved) {
  std::string list;
  const auto add = [&](const std::string& item) { list += (list.empty() || item.empty() ? "" : "; ") + item; };
  for (const auto& item : here) add(mismatch(item.key(), item.value(), saved.find(item.key())));
  for (const auto& item : saved) add(here.contains(item.key()) ? "" : item.key() + " is not in the model");
  if (!list.empty()) throw Error("The saved tensors do not fit the model: " + list + ".");
}

void save(const torch::nn::Module& module, const Masters& masters, torch::serialize::OutputArchive& archive) {
  for (const auto& item : module.named_parameters(/*recurse=*/false)) {
    archive.write(item.key(), masters.saved(item.value()));
  }
  for (const auto& item : module.named_buffers(/*recurse=*/false)) {
    archive.write(item.key(), masters.saved(item.value()), /*is_buffer=*/true);
  }
  for (const auto& child : module.named_children()) {
    if (!child.value()->is_serializable()) continue;
    torch::serialize::OutputArchive nested(archive.compilation_unit());
    save(*child.value(), masters, nested);
    archive.write(child.key(), nested);
  }
}

/// Reads a module's tensors from an archive, except those that the archive lacks.
void read(const torch::nn::Module& module, const std::string& prefix, torch::serialize::InputArchive& archive,
          Tensors& tensors) {
  const auto read_all = [&](const Tensors& own, bool are_buffers) {
    for (const auto& item : own) {
      at::Tensor tensor;
      if (archive.try_read(item.key(), tensor, are_buffers)) tensors.insert(prefix + item.key(), tensor);
    }
  };
  read_all(module.named_parameters(/*recurse=*/false), false);
  read_all(module.named_buffers(/*recurse=*/false), true);
  for (const auto& child : module.named_children()) {
    torch::serialize::InputArchive nested;
    if (child.value()->is_serializable() && archive.try_read(child.key(), nested)) {
      read(*child.value(), prefix + child.key() + '.', nested, tensors);
    }
  }
}

}  // namespace

Tensors model_state_dict(const ModelRef& model) {
  const Masters masters;
  Tensors state;
  for (const auto& item : all_tensors(model.get())) state.insert(item.key(), masters.saved(item.value()));
  return state;
}

std::vector<at::Tensor> checkpoint_tensors(const std::vector<at::Tensor>& tensors) {
  const Masters masters;
  std::vector<at::Tensor> saved;
  saved.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) saved.push_back(masters.saved(tensor));
  return saved;
}

void load_masters(const std::vector<at::Tensor>& parameters, const std::vector<at::Tensor>& values) {
  const Masters masters;
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const at::Tensor master = masters.of(parameters[i]);
    if (master.defined()) master.copy_(values.at(i));
  }
}

void load_model_state_dict(const ModelRef& model, const Tensors& tensors) {
  const Tensors here = all_tensors(model.get());
  check(here, tensors);
  const Masters masters;
  const torch::NoGradGuard no_grad;
  for (const auto& item : here) {
    const at::Tensor& saved = tensors[item.key()];
    item.value().copy_(saved);
    const at::Tensor master = masters.of(item.value());
    if (master.defined()) master.copy_(saved);
  }
}

void save_model(const ModelRef& model, torch::serialize::OutputArchive& archive) {
  save(model.get(), Masters(), archive);
}

void load_model(const ModelRef& model, torch::serialize::InputArchive& archive) {
  Tensors tensors;
  read(model.get(), "", archive, tensors);
  load_model_state_dict(model, tensors);
}

}  // namespace amp

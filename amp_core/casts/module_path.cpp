// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/module_path.h"

#include <torch/nn/module.h>

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "amp_core/base/module_name.h"
#include "amp_core/torch_hooks/boxed_arguments.h"

namespace amp {
namespace {

/// Names of one model, by address. A weak reference to a tensor keeps the tensor's address from being reused. A
/// weak_ptr does not always keep a module's address, so a look-up checks whether the module is alive.
struct ModelNames {
  struct Module {
    std::weak_ptr<torch::nn::Module> module;
    std::string path;
  };
  struct Parameter {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    std::string name;
  };

  explicit ModelNames(const torch::nn::Module& model) : class_name(short_class_name(model.name())) {
    for (const auto& part : model.named_modules(/*name_prefix=*/"", /*include_self=*/false)) {
      modules.emplace(part.value().get(), Module{part.value(), part.key()});
    }
    for (const auto& parameter : model.named_parameters()) {
      parameters.emplace(parameter->unsafeGetTensorImpl(),
                         Parameter{c10::weak_intrusive_ptr(parameter->getIntrusivePtr()), parameter.key()});
    }
  }

  bool is_alive() const {
    return std::ranges::any_of(parameters, [](const auto& entry) { return !entry.second.tensor.expired(); });
  }

  std::string class_name;
  std::unordered_map<const torch::nn::Module*, Module> modules;
  std::unordered_map<const c10::TensorImpl*, Parameter> parameters;
};

class Names {
 public:
  void add(const torch::nn::Module& model) {
    const std::lock_guard lock(mutex_);
    ModelNames names(model);
    // Drops earlier names of this model, and the names of models that share parameters with it.
    std::erase_if(models_, [&](const ModelNames& known) {
      const auto is_in = [&](const auto& entry) { return names.parameters.contains(entry.first); };
      return !known.is_alive() || std::ranges::any_of(known.parameters, is_in);
    });
    models_.push_back(std::move(names));
  }

  std::string path_of(const torch::nn::Module& module) const {
    const std::lock_guard lock(mutex_);
    for (const auto& model : models_) {
      const auto found = model.modules.find(&module);
      if (found != model.modules.end() && !found->second.module.expired()) return named(model, found->second.path);
    }
    return "";
  }

  std::string name_of(const at::Tensor& tensor) const {
    const std::lock_guard lock(mutex_);
    for (const auto& model : models_) {
      const auto found = model.parameters.find(tensor.unsafeGetTensorImpl());
      if (found != model.parameters.end()) return named(model, found->second.name);
    }
    return "";
  }

 private:
  std::string named(const ModelNames& model, const std::string& path) const {
    return models_.size() == 1 ? path : join_path(model.class_name, path);
  }

  mutable std::mutex mutex_;
  std::vector<ModelNames> models_;
};

/// Returns the names of all models. Never destroyed: ops may run while the process exits.
Names& names() {
  static auto* const instance = new Names();
  return *instance;
}

thread_local const ModuleScope* innermost = nullptr;
std::atomic<ModulePathSource> path_source = nullptr;

/// Returns the name of a parameter or, for a view, of the parameter that it shows: linear() calls `matmul(input,
/// weight.t())` for inputs of three dimensions.
std::string name_of_parameter_or_base(const at::Tensor& tensor) {
  return parameter_name(tensor.is_view() ? at::Tensor(tensor._base()) : tensor);
}

std::string owner_of_parameter(std::span<const c10::IValue> arguments) {
  std::string parameter;
  for (const auto& argument : arguments) {
    visit_tensors(argument, [&](const at::Tensor& tensor) {
      if (parameter.empty()) parameter = name_of_parameter_or_base(tensor);
    });
  }
  return module_of_parameter(parameter);
}

bool is_inside(const std::string& path, const std::string& module) {
  return path.starts_with(module) && path.substr(module.size()).starts_with('.');
}

}  // namespace

ModuleScope::ModuleScope(std::string path) : path_(std::move(path)), outer_(innermost) {
  if (!path_.empty()) innermost = this;
}

ModuleScope::ModuleScope(const torch::nn::Module& module) : ModuleScope(names().path_of(module)) {}

ModuleScope::~ModuleScope() { innermost = outer_; }

void name_modules(const torch::nn::Module& model) { names().add(model); }

std::string parameter_name(const at::Tensor& tensor) { return names().name_of(tensor); }

std::string module_path_of(std::span<const c10::IValue> arguments) {
  if (const auto source = path_source.load(std::memory_order_acquire)) return source(arguments);
  const std::string owner = owner_of_parameter(arguments);
  // The parameter's module is the more exact answer if it is inside the scope's module.
  if (innermost == nullptr || is_inside(owner, innermost->path_)) return owner;
  return innermost->path_;
}

void set_module_path_source(ModulePathSource source) { path_source.store(source, std::memory_order_release); }

}  // namespace amp

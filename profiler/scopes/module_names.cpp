// SPDX-License-Identifier: Apache-2.0
#include "profiler/scopes/module_names.h"

#include <torch/nn/module.h>
#include <torch/types.h>

#include <algorithm>

#include "precision/torch_hooks/tensor_memory.h"

namespace ampprof::profiler {
namespace {

constexpr std::size_t kUnread = -1;

}  // namespace

// A single root has no prefix. When a second root is added, the paths of the first one get a prefix, too. Most programs
// create all models before the first op runs, so no recorded path changes.
std::string ModuleNames::prefix_for(const torch::nn::Module& module) {
  if (roots_.empty()) return "";
  if (!prefixed_) {
    for (auto& [pointer, path] : modules_) path = amp::join_path(roots_.front().class_name, path);
    for (auto& [pointer, known] : parameters_) known.name = amp::join_path(roots_.front().class_name, known.name);
    prefixed_ = true;
  }
  const std::string name = short_class_name(module.name());
  const auto twins = std::ranges::count(roots_, name, &Root::class_name);
  return twins == 0 ? name : name + std::to_string(twins + 1);
}

void ModuleNames::drop(const void* root) {
  std::erase_if(roots_, [&](const Root& known) { return known.module == root; });
}

void ModuleNames::add_root(const torch::nn::Module& module) {
  const auto tree = module.named_modules(/*name_prefix=*/"", /*include_self=*/false);
  const auto known = std::ranges::find(roots_, static_cast<const void*>(&module), &Root::module);
  if (known != roots_.end() && known->size == tree.size()) return;
  if (known == roots_.end() && modules_.contains(&module)) return;

  // A submodule may have been added as a root before its parent was seen.
  for (const auto& part : tree) drop(part.value().get());
  const std::string prefix = known != roots_.end() ? modules_[&module] : prefix_for(module);
  drop(&module);
  roots_.push_back({&module, short_class_name(module.name()), tree.size()});
  modules_[&module] = prefix;
  for (const auto& part : tree) modules_[part.value().get()] = amp::join_path(prefix, part.key());
  for (const auto& parameter : module.named_parameters()) {
    add_parameter(parameter.value().unsafeGetTensorImpl(), amp::join_path(prefix, parameter.key()));
  }
}

void ModuleNames::add_parameter(c10::TensorImpl* tensor, std::string name) {
  const auto alive = torch_hooks::another_owner_of(tensor);
  addresses_.add(tensor);
  if (const auto made = copies_.find(tensor); made != copies_.end()) {
    if (const auto copy = made->second.copy.lock()) add_parameter(copy.get(), name);
  }
  parameters_.insert_or_assign(tensor, Parameter{c10::weak_intrusive_ptr(alive), std::move(name)});
  if (!tensor->has_storage()) return;
  c10::StorageImpl* storage = tensor->storage().unsafeGetStorageImpl();
  const auto memory = torch_hooks::another_owner_of(storage);
  addresses_.add(storage);
  memory_.insert_or_assign(storage, Memory{c10::weak_intrusive_ptr(memory), tensor});
}

void ModuleNames::add_copy(c10::TensorImpl* original, c10::TensorImpl* copy) {
  const auto alive = torch_hooks::another_owner_of(original);
  copies_.insert_or_assign(
      original, Copy{c10::weak_intrusive_ptr(alive), c10::weak_intrusive_ptr(torch_hooks::another_owner_of(copy))});
  if (const auto* name = name_of(original)) add_parameter(copy, std::string(*name));
}

const std::string* ModuleNames::path_of(const void* module) const {
  const auto found = modules_.find(module);
  return found == modules_.end() ? nullptr : &found->second;
}

const std::string* ModuleNames::name_of(const c10::TensorImpl* parameter) const {
  if (!may_be_parameter(parameter)) return nullptr;
  auto found = parameters_.find(parameter);
  if (found == parameters_.end() && parameter->has_storage()) {
    const auto memory = memory_.find(parameter->storage().unsafeGetStorageImpl());
    if (memory != memory_.end()) found = parameters_.find(memory->second.parameter);
  }
  return found == parameters_.end() ? nullptr : &found->second.name;
}

void ModuleNames::expire() {
  std::erase_if(copies_, [](const auto& each) { return each.second.original.expired() || each.second.copy.expired(); });
  for (Root& root : roots_) root.size = kUnread;
}

std::string ModuleNames::owner_of(const c10::TensorImpl* gradient) const {
  for (const auto& [pointer, known] : parameters_) {
    const auto alive = known.tensor.lock();
    if (alive && alive->grad().unsafeGetTensorImpl() == gradient) return known.name;
  }
  return "";
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/TensorImpl.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "amp_core/base/module_name.h"
#include "profiler/steps/pointer_filter.h"

namespace torch::nn {
class Module;
}

namespace ampprof::profiler {

/// Paths of modules and parameters, as the root's `named_modules()` and `named_parameters()` return them.
///
/// A root is a module that was seen and is not part of another seen module. With several roots, all paths start with
/// their root's class name. Pointers are only compared, except in add_root(), whose module must be alive. Not
/// thread-safe.
class ModuleNames {
 public:
  /// Reads the tree below `module`, unless it is part of a known tree.
  void add_root(const torch::nn::Module& module);
  /// Adds a parameter whose name the program's own language knows. It must be alive.
  void add_parameter(c10::TensorImpl* tensor, std::string name);
  /// Gives `copy` the name of `original`, as soon as that has one. Both must be alive.
  void add_copy(c10::TensorImpl* original, c10::TensorImpl* copy);

  /// Lets trees be read again when their roots are seen again, since parameters may have new storage.
  void expire();

  /// Returns false for most tensors that are not parameters and do not share a parameter's memory. Cheaper than
  /// name_of().
  bool may_be_parameter(const c10::TensorImpl* tensor) const {
    return addresses_.may_have(tensor) || addresses_.may_have(tensor->unsafe_storage().unsafeGetStorageImpl());
  }

  /// Returns null if the path is unknown.
  const std::string* path_of(const void* module) const;
  /// Returns the name of a parameter, or of a tensor that shares its memory, as `parameter.data()` does; else null.
  const std::string* name_of(const c10::TensorImpl* parameter) const;

  /// Calls `visit(c10::intrusive_ptr<c10::TensorImpl>, const std::string& name)` for each living parameter, masters
  /// included, in no order.
  template <typename Visit>
  void each_parameter(Visit&& visit) const {
    for (const auto& [pointer, known] : parameters_) {
      if (auto alive = known.tensor.lock()) visit(std::move(alive), known.name);
    }
  }

  /// Returns the name of the living parameter whose gradient is `gradient`; "" for none.
  std::string owner_of(const c10::TensorImpl* gradient) const;

 private:
  struct Root {
    const void* module;
    std::string class_name;
    std::size_t size;
  };

  /// The weak reference keeps the address from being reused, and nothing else alive.
  struct Parameter {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    std::string name;
  };
  /// The weak references keep the addresses from being reused.
  struct Copy {
    c10::weak_intrusive_ptr<c10::TensorImpl> original;
    c10::weak_intrusive_ptr<c10::TensorImpl> copy;
  };
  struct Memory {
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;
    const c10::TensorImpl* parameter;
  };

  void drop(const void* root);
  std::string prefix_for(const torch::nn::Module& module);

  std::vector<Root> roots_;
  bool prefixed_ = false;
  std::unordered_map<const void*, std::string> modules_;
  std::unordered_map<const c10::TensorImpl*, Parameter> parameters_;
  std::unordered_map<const c10::StorageImpl*, Memory> memory_;
  std::unordered_map<const c10::TensorImpl*, Copy> copies_;  ///< by original
  PointerFilter addresses_;                                  ///< of parameters and their memory
};

using amp::module_of_parameter;
using amp::short_class_name;

}  // namespace ampprof::profiler

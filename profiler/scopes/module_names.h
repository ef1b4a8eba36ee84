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

/// Holds the paths of modules and parameters, as `named_modules()` and `named_parameters()` of the root return them.
///
/// A root is a module that was added and is not a submodule of another added module. With several roots, all paths
/// begin with the class name of their root. Module pointers are only compared, except in add_root(). Not thread-safe.
class ModuleNames {
 public:
  /// Reads the tree below `module`, which must be alive. Does nothing if the tree was read before, as a part of another
  /// root or with the same number of submodules.
  void add_root(const torch::nn::Module& module);
  /// Adds a living parameter under the name that Python gives it.
  void add_parameter(c10::TensorImpl* tensor, std::string name);
  /// Gives `copy` the name of `original`, now or when `original` gets a name. Both tensors must be alive.
  void add_copy(c10::TensorImpl* original, c10::TensorImpl* copy);

  /// Makes add_root() read all trees again, since parameters may have new storages.
  void expire();

  /// Returns true for each parameter and each tensor that shares storage with one, and false for most other tensors.
  /// Cheaper than name_of().
  bool may_be_parameter(const c10::TensorImpl* tensor) const {
    return addresses_.may_have(tensor) || addresses_.may_have(tensor->unsafe_storage().unsafeGetStorageImpl());
  }

  /// Returns the path of a module; null if unknown.
  const std::string* path_of(const void* module) const;
  /// Returns the name of the parameter that this tensor is, or with which it shares storage (like `parameter.data()`).
  /// Null if there is none.
  const std::string* name_of(const c10::TensorImpl* parameter) const;

  /// Calls `visit(c10::intrusive_ptr<c10::TensorImpl>, const std::string& name)` for each living parameter and master
  /// weight, in no order.
  template <typename Visit>
  void each_parameter(Visit&& visit) const {
    for (const auto& [pointer, known] : parameters_) {
      if (auto alive = known.tensor.lock()) visit(std::move(alive), known.name);
    }
  }

  /// Returns the name of the living parameter whose `.grad` is `gradient`; "" if there is none.
  std::string owner_of(const c10::TensorImpl* gradient) const;

 private:
  struct Root {
    const void* module;
    std::string class_name;
    std::size_t size;
  };

  /// The weak reference prevents reuse of the address. It does not keep the tensor's data alive.
  struct Parameter {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    std::string name;
  };
  /// The weak references prevent reuse of the addresses.
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
  std::unordered_map<const c10::TensorImpl*, Copy> copies_;  ///< copies by original
  PointerFilter addresses_;                                  ///< addresses of parameters and of their storages
};

using amp::module_of_parameter;
using amp::short_class_name;

}  // namespace ampprof::profiler

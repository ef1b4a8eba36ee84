// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ampprof::profiler {

/// Maps parameters in reduced precision to their FP32 master weights. Keeps no tensor alive. Not thread-safe.
class Masters {
 public:
  void add(const at::Tensor& parameter, const at::Tensor& master) {
    masters_.insert_or_assign(parameter.unsafeGetTensorImpl(),
                              Entry{Weak(parameter.getIntrusivePtr()), Weak(master.getIntrusivePtr())});
  }

  /// Returns the master of a parameter; undefined if it has none.
  at::Tensor of(const at::Tensor& parameter) const {
    const auto found = masters_.find(parameter.unsafeGetTensorImpl());
    if (found == masters_.end() || found->second.parameter.expired()) return {};
    auto master = found->second.master.lock();
    return master ? at::Tensor(std::move(master)) : at::Tensor();
  }

  /// Returns the addresses of the living masters. Only compare them: the masters may be freed.
  std::unordered_set<const c10::TensorImpl*> all() const {
    std::unordered_set<const c10::TensorImpl*> masters;
    for (const auto& [parameter, entry] : masters_) {
      if (const auto alive = entry.master.lock()) masters.insert(alive.get());
    }
    return masters;
  }

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Entry {
    Weak parameter;  ///< if expired, another tensor may have the address of the key
    Weak master;
  };

  std::unordered_map<const c10::TensorImpl*, Entry> masters_;
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/scalar_cache.h"

#include <algorithm>

#include "precision/torch_hooks/tensor_memory.h"

namespace ampprof::profiler {

using torch_hooks::version_of;

const ScalarCache::Known* ScalarCache::find(const at::Tensor& tensor) const {
  if (tensor.is_inference()) return nullptr;
  const auto found = std::ranges::find_if(known_, [&](const Known& known) {
    return known.tensor._unsafe_get_target() == tensor.unsafeGetTensorImpl() && known.version == version_of(tensor);
  });
  return found == known_.end() ? nullptr : &*found;
}

void ScalarCache::put(const at::Tensor& tensor, double value) {
  if (tensor.is_inference()) return;
  std::erase_if(known_, [&](const Known& known) {
    return known.tensor.expired() || known.tensor._unsafe_get_target() == tensor.unsafeGetTensorImpl();
  });
  known_.push_back({Weak(tensor.getIntrusivePtr()), version_of(tensor), value});
}

std::vector<double> ScalarCache::of(const std::vector<at::Tensor>& tensors) {
  std::vector<double> values(tensors.size());
  std::vector<at::Tensor> unknown;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (const Known* known = find(tensors[i])) {
      values[i] = known->value;
    } else {
      unknown.push_back(tensors[i]);
      places.push_back(i);
    }
  }
  if (unknown.empty()) return values;
  const std::vector<double> read = read_(unknown);
  for (std::size_t i = 0; i < read.size(); ++i) {
    values[places[i]] = read[i];
    put(unknown[i], read[i]);
  }
  return values;
}

}  // namespace ampprof::profiler

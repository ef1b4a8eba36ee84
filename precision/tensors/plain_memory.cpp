// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/plain_memory.h"

#include <ATen/EmptyTensor.h>

#include <algorithm>

namespace ampprof::tensors {
namespace {

using c10::DispatchKey;

struct Kind {
  c10::DispatchKeySet keys;
  std::string_view name;
};

// The first match wins: a fake tensor is a Python subclass too.
constexpr Kind kKinds[] = {
    {c10::DispatchKeySet({DispatchKey::FuncTorchBatched, DispatchKey::FuncTorchGradWrapper, DispatchKey::Batched}),
     "functorch (vmap, grad, jvp)"},
    {c10::DispatchKeySet(DispatchKey::Functionalize), "functional"},
    {c10::DispatchKeySet(DispatchKey::Fake), "fake"},
    {c10::DispatchKeySet({DispatchKey::NestedTensor, DispatchKey::BatchedNestedTensor}), "nested"},
    {c10::DispatchKeySet(DispatchKey::Python), "Python subclass (__torch_dispatch__)"},
    {c10::DispatchKeySet(DispatchKey::ZeroTensor), "zero (forward-mode AD)"},
    {c10::DispatchKeySet({DispatchKey::Sparse, DispatchKey::SparseCsr}), "sparse"},
    {c10::DispatchKeySet(DispatchKey::Quantized), "quantized"},
    {c10::DispatchKeySet(DispatchKey::MkldnnCPU), "mkldnn"},
};

constexpr c10::DispatchKeySet kWrappers = [] {
  c10::DispatchKeySet all;
  for (const Kind& kind : kKinds) all = all | kind.keys;
  return all;
}();

std::size_t bytes_needed(const at::Tensor& tensor) {
  return at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.itemsize(),
                                          static_cast<std::size_t>(tensor.storage_offset()));
}

}  // namespace

std::string_view kind_of_wrapper(const at::Tensor& tensor) {
  if (!tensor.defined()) return "";
  const c10::DispatchKeySet keys = tensor.key_set();
  if (keys.has_any(kWrappers)) {
    return std::ranges::find_if(kKinds, [&](const Kind& kind) { return keys.has_any(kind.keys); })->name;
  }
  if (tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides()) return "symbolic";
  return tensor.is_meta() ? "meta" : "";
}

bool has_plain_memory(const at::Tensor& tensor) {
  if (!tensor.defined() || !kind_of_wrapper(tensor).empty()) return false;
  if (tensor.layout() != at::kStrided || !tensor.has_storage()) return false;
  return tensor.numel() == 0 || tensor.storage().nbytes() >= bytes_needed(tensor);
}

bool is_measurable(const at::Tensor& tensor) {
  return tensor.defined() && c10::isFloatingType(tensor.scalar_type()) && has_plain_memory(tensor);
}

}  // namespace ampprof::tensors

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace ampprof::torch_hooks {

/// Returns an additional owner of a tensor or storage from its address; the object must already have an owner. A weak
/// pointer made from the result does not keep the object alive.
template <class Impl>
c10::intrusive_ptr<Impl> another_owner_of(Impl* owned) {
  return c10::intrusive_ptr<Impl>::unsafe_reclaim_from_nonowning(owned);
}

/// Returns the version of the tensor's values. Each in-place write increments it, also through views. The tensor must
/// not be an inference tensor.
inline std::uint32_t version_of(const c10::TensorImpl& tensor) { return tensor.version_counter().current_version(); }
inline std::uint32_t version_of(const at::Tensor& tensor) { return version_of(*tensor.unsafeGetTensorImpl()); }

}  // namespace ampprof::torch_hooks

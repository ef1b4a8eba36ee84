// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace ampprof::torch_hooks {

/// Returns one more owner of a tensor or storage that somebody owns already, from its address. From it a weak pointer
/// can be made, which does not keep it alive.
template <class Impl>
c10::intrusive_ptr<Impl> another_owner_of(Impl* owned) {
  return c10::intrusive_ptr<Impl>::unsafe_reclaim_from_nonowning(owned);
}

/// Returns how often the tensor's values were written to: each write in place makes it one more, for its views too.
/// Must not be an inference tensor.
inline std::uint32_t version_of(const c10::TensorImpl& tensor) { return tensor.version_counter().current_version(); }
inline std::uint32_t version_of(const at::Tensor& tensor) { return version_of(*tensor.unsafeGetTensorImpl()); }

}  // namespace ampprof::torch_hooks

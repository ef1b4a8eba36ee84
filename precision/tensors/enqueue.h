// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Stream.h>

#include <stdexcept>
#include <string>

#include "precision/cuda/kernels.h"
#include "precision/torch_hooks/stream_handle.h"

namespace ampprof::tensors {

/// Calls `launch(kernels, device, stream)`, which enqueues a kernel and returns CUDA's error. Throws if the launch
/// failed or if the kernels are not available.
template <typename Launch>
void enqueue(const c10::Stream& stream, Launch launch) {
  const cuda::Kernels* kernels = cuda::kernels();
  const std::string refused =
      kernels == nullptr ? cuda::why_no_kernels()
                         : launch(*kernels, static_cast<int>(stream.device_index()), torch_hooks::handle_of(stream));
  if (!refused.empty()) throw std::runtime_error("a CUDA kernel of ampprof did not start: " + refused);
}

}  // namespace ampprof::tensors

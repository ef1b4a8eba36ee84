// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/capture.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include "precision/gpu/capture.h"
#include "precision/torch_hooks/stream_handle.h"

namespace ampprof::tensors {

bool is_captured(const c10::Stream& stream) {
  return stream.device().is_cuda() && gpu::is_capturing(torch_hooks::handle_of(stream));
}

bool is_captured(const c10::Device& device) {
  return device.is_cuda() && is_captured(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
}

bool is_captured_here() {
  return gpu::has_context() && is_captured(c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).getDevice());
}

}  // namespace ampprof::tensors

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Stream.h>

namespace ampprof::torch_hooks {

/// Returns the cudaStream_t of a stream of a CUDA device.
void* handle_of(const c10::Stream& stream);

}  // namespace ampprof::torch_hooks

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Stream.h>

namespace ampprof::torch_hooks {

/// Returns CUDA's own handle of a stream of a CUDA device: a cudaStream_t.
void* handle_of(const c10::Stream& stream);

}  // namespace ampprof::torch_hooks

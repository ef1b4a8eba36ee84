// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Stream.h>

namespace ampprof::tensors {

/// Returns whether CUDA captures this stream into a graph: what ampprof launched there would be part of the program's
/// graph. False for devices that are no CUDA devices.
bool is_captured(const c10::Stream& stream);

/// Returns the same of this thread's current stream on the device. Initializes CUDA where the program has not yet.
bool is_captured(const c10::Device& device);

/// Returns the same of this thread's current device. Initializes nothing.
bool is_captured_here();

}  // namespace ampprof::tensors

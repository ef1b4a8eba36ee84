// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Stream.h>

namespace ampprof::tensors {

/// Returns whether CUDA captures this stream into a graph. If so, ampprof's launches on this stream would become part
/// of the program's graph. False for devices other than CUDA.
bool is_captured(const c10::Stream& stream);

/// Returns whether this thread's current stream on the device is captured. Initializes CUDA if the program has not.
bool is_captured(const c10::Device& device);

/// Returns whether this thread's current stream on its current device is captured. Initializes nothing.
bool is_captured_here();

}  // namespace ampprof::tensors

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::gpu {

/// Returns whether CUDA captures this stream (a cudaStream_t of the current device) into a graph. Work that is enqueued
/// there becomes part of the graph and runs at each of its launches.
///
/// Asks the driver, not the runtime: an error of the runtime would show up in the program's next cudaGetLastError(). An
/// error of the driver counts as a capture, since it refuses questions about the default stream while another stream is
/// captured. Returns false on a thread without a CUDA context for the default stream, and without a driver.
/// Thread-safe.
bool is_capturing(void* stream);

/// Returns whether this thread has a CUDA context. Initializes nothing.
bool has_context();

}  // namespace ampprof::gpu

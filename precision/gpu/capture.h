// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::gpu {

/// Returns whether CUDA captures this stream (a cudaStream_t of the current device) into a graph. Work that is enqueued
/// on a captured stream becomes part of the graph and runs at each launch of the graph.
///
/// Calls the driver API, because an error of the runtime API would show up in the program's next cudaGetLastError(). An
/// error of the driver counts as a capture, since the driver rejects queries of the default stream while another stream
/// is captured. Returns false without a driver, and for the default stream on a thread without a CUDA context.
/// Thread-safe.
bool is_capturing(void* stream);

/// Returns whether this thread has a CUDA context. Does not initialize CUDA.
bool has_context();

}  // namespace ampprof::gpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "reports/records/tracks.h"
#include "tests/fake_cuda/work_queue.h"

/// Streams, and the capture of their work into graphs.
namespace fake_cuda {

struct Graph;

struct Stream {
  int device;
  int priority;
  work::Ticket last = 0;     ///< ticket of the stream's latest work
  Graph* capture = nullptr;  ///< the graph that captures the stream's work, or null
};

/// Returns the stream of a handle. Null and CUDA's special handles mean the default stream of the current device.
Stream& stream_of(cudaStream_t handle);

/// Enqueues work on a stream, or adds a node to the graph that captures it. `what` names the work in logs and graphs.
void enqueue(cudaStream_t handle, const std::string& what, work::Work work);

/// Returns the current device of this thread.
int& current_device();

/// Returns the error of a runtime call for a device with this number. The first call initializes the driver.
cudaError_t check_device(int device);

/// Returns the error of a runtime call, and stores it for cudaGetLastError().
cudaError_t answered(cudaError_t error);

/// Returns whether a running capture forbids calls such as cudaMalloc on this thread. If so, invalidates the capture,
/// as CUDA does.
bool breaks_a_capture();

}  // namespace fake_cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "reports/records/tracks.h"
#include "tests/fake_cuda/work_queue.h"

/// Streams and their capture.
namespace fake_cuda {

struct Graph;

struct Stream {
  int device;
  int priority;
  work::Ticket last = 0;     ///< its newest work
  Graph* capture = nullptr;  ///< the graph that receives its work instead
};

/// Returns the stream of a handle. Null and CUDA's special handles mean the default stream of the current device.
Stream& stream_of(cudaStream_t handle);

/// Enqueues work on a stream, or adds a node to the graph that captures it. `what` names it in logs and graphs.
void enqueue(cudaStream_t handle, const std::string& what, work::Work work);

/// Returns the current device of this thread.
int& current_device();

/// Returns CUDA's answer to a call for this device. The first call initializes the driver.
cudaError_t check_device(int device);

/// Returns an error as a runtime call does, and keeps it for cudaGetLastError().
cudaError_t answered(cudaError_t error);

/// Returns whether a capture in progress forbids calls such as cudaMalloc on this thread. If so, the capture is lost,
/// as in CUDA.
bool breaks_a_capture();

}  // namespace fake_cuda

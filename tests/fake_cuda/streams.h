// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "reports/records/tracks.h"
#include "tests/fake_cuda/work_queue.h"

/// Streams, and what is captured of them.
namespace fake_cuda {

struct Graph;

struct Stream {
  int device;
  int priority;
  work::Ticket last = 0;     ///< its newest work
  Graph* capture = nullptr;  ///< what its work goes to instead
};

/// Returns the stream of this handle; the default stream of the current device for null and CUDA's own handles.
Stream& stream_of(cudaStream_t handle);

/// Gives work to a stream, or a node to the graph that captures it. `what` names it in logs and graphs.
void enqueue(cudaStream_t handle, const std::string& what, work::Work work);

/// The device that is current on this thread.
int& current_device();

/// Returns what CUDA answers to a call for this device; the first question initializes the driver.
cudaError_t check_device(int device);

/// Returns an error as a runtime call does, and keeps it for cudaGetLastError().
cudaError_t answered(cudaError_t error);

/// Whether a capture is in progress that forbids calls such as cudaMalloc on this thread; the capture is lost then, as
/// CUDA has it.
bool breaks_a_capture();

}  // namespace fake_cuda

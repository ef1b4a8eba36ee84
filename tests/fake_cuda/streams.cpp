// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/streams.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "tests/fake_cuda/counts.h"
#include "tests/fake_cuda/graphs.h"

namespace fake_cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// The time when the work before an event was completed. The work queue writes it. Readers wait until the work is done.
struct Moment {
  Clock::time_point at;
};

struct Event {
  work::Ticket ticket = 0;
  std::shared_ptr<Moment> moment;  ///< null until the event is recorded
  Graph* capture = nullptr;        ///< the graph in which the event was recorded
};

Event& event_of(cudaEvent_t handle) { return *reinterpret_cast<Event*>(handle); }

cudaError_t made(cudaStream_t* handle, int priority) {
  *handle = reinterpret_cast<cudaStream_t>(new Stream{.device = current_device(), .priority = priority});
  return cudaSuccess;
}

cudaError_t made(cudaEvent_t* handle) {
  *handle = reinterpret_cast<cudaEvent_t>(new Event);
  return cudaSuccess;
}

void count_synchronization() {
  static Count& count = count_of("synchronizations");
  ++count;
}

cudaError_t recorded(cudaEvent_t handle, cudaStream_t on) {
  Event& event = event_of(handle);
  Stream& stream = stream_of(on);
  event.capture = stream.capture;
  event.moment = std::make_shared<Moment>();
  if (stream.capture != nullptr) return cudaSuccess;
  event.ticket = stream.last = work::give([moment = event.moment] { moment->at = Clock::now(); });
  return cudaSuccess;
}

}  // namespace

int& current_device() {
  thread_local int device = 0;
  return device;
}

Stream& stream_of(cudaStream_t handle) {
  static std::array<Stream, 16>& defaults = *[] {
    auto* all = new std::array<Stream, 16>;
    for (int device = 0; device < 16; ++device) (*all)[static_cast<std::size_t>(device)] = {device, 0};
    return all;
  }();
  const bool is_default = handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
  return is_default ? defaults[static_cast<std::size_t>(current_device())] : *reinterpret_cast<Stream*>(handle);
}

void enqueue(cudaStream_t handle, const std::string& what, work::Work work) {
  Stream& stream = stream_of(handle);
  if (stream.capture != nullptr) return add_node(*stream.capture, what, std::move(work));
  stream.last = work::give(std::move(work));
}

}  // namespace fake_cuda

using namespace fake_cuda;

FAKE_CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  FAKE_CUDA_COUNTED;
  return made(stream, priority);
}

FAKE_CUDA_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  FAKE_CUDA_COUNTED;
  return made(stream, 0);
}

FAKE_CUDA_API cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  FAKE_CUDA_COUNTED;
  return made(stream, 0);
}

FAKE_CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  work::wait_for(stream_of(stream).last);
  delete &stream_of(stream);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  FAKE_CUDA_COUNTED;
  *priority = stream_of(stream).priority;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  FAKE_CUDA_COUNTED;
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaStreamQuery(cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  if (stream_of(stream).capture != nullptr) return answered(cudaErrorStreamCaptureUnsupported);
  return work::is_done(stream_of(stream).last) ? cudaSuccess : cudaErrorNotReady;
}

FAKE_CUDA_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  count_synchronization();
  if (Graph* capture = stream_of(stream).capture) {
    capture->is_broken = true;
    return answered(cudaErrorStreamCaptureUnsupported);
  }
  work::wait_for(stream_of(stream).last);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaDeviceSynchronize() {
  FAKE_CUDA_COUNTED;
  count_synchronization();
  if (breaks_a_capture()) return answered(cudaErrorStreamCaptureUnsupported);
  work::wait_for_all();
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle, unsigned) {
  FAKE_CUDA_COUNTED;
  const Event& event = event_of(handle);
  if (event.capture != nullptr) {
    join_capture(*event.capture, stream_of(stream));
  } else {
    stream_of(stream).last = std::max(stream_of(stream).last, event.ticket);
  }
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  FAKE_CUDA_COUNTED;
  return made(event);
}

FAKE_CUDA_API cudaError_t cudaEventCreate(cudaEvent_t* event) {
  FAKE_CUDA_COUNTED;
  return made(event);
}

FAKE_CUDA_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  FAKE_CUDA_COUNTED;
  delete &event_of(event);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  return recorded(event, stream);
}

FAKE_CUDA_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  FAKE_CUDA_COUNTED;
  return recorded(event, stream);
}

FAKE_CUDA_API cudaError_t cudaEventQuery(cudaEvent_t event) {
  FAKE_CUDA_COUNTED;
  if (breaks_a_capture()) return answered(cudaErrorStreamCaptureUnsupported);
  return work::is_done(event_of(event).ticket) ? cudaSuccess : cudaErrorNotReady;
}

FAKE_CUDA_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  FAKE_CUDA_COUNTED;
  count_synchronization();
  if (event_of(event).capture != nullptr) return answered(cudaErrorStreamCaptureUnsupported);
  work::wait_for(event_of(event).ticket);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  FAKE_CUDA_COUNTED;
  const Event& first = event_of(begin);
  const Event& last = event_of(end);
  if (first.moment == nullptr || last.moment == nullptr) return answered(cudaErrorInvalidResourceHandle);
  if (!work::is_done(first.ticket) || !work::is_done(last.ticket)) return cudaErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(last.moment->at - first.moment->at).count();
  return cudaSuccess;
}

// SPDX-License-Identifier: Apache-2.0
// Devices, versions and errors.
#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "tests/fake_cuda/counts.h"
#include "tests/fake_cuda/settings.h"
#include "tests/fake_cuda/streams.h"

using namespace fake_cuda;

namespace {

constexpr int kComputeMajor = 9;
constexpr int kComputeMinor = 0;
constexpr int kMultiprocessors = 4;  // few, because host twins run their blocks one after another
constexpr int kSharedMemory = 49152;
constexpr int kSharedMemoryOptin = 232448;

thread_local cudaError_t last_error = cudaSuccess;

int attribute_of(cudaDeviceAttr attribute) {
  static const std::map<cudaDeviceAttr, int> values{
      {cudaDevAttrComputeCapabilityMajor, kComputeMajor},
      {cudaDevAttrComputeCapabilityMinor, kComputeMinor},
      {cudaDevAttrMultiProcessorCount, kMultiprocessors},
      {cudaDevAttrMaxSharedMemoryPerBlock, kSharedMemory},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, kSharedMemoryOptin},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
      {cudaDevAttrMaxGridDimX, 2147483647},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrCooperativeLaunch, 1},
  };
  const auto found = values.find(attribute);
  return found == values.end() ? 0 : found->second;
}

/// The environment at the first call of the driver. As in the real driver, later changes and forks have no effect.
struct Driver {
  int devices;
  pid_t process;
};

/// Returns the number of devices in CUDA_VISIBLE_DEVICES, a list separated by commas.
int visible_devices() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return settings().devices;
  const std::string names = visible;
  if (names.empty() || names == "-1") return 0;
  return std::min(settings().devices, 1 + static_cast<int>(std::ranges::count(names, ',')));
}

const Driver& driver() {
  static const Driver& only = *[] {
    ++count_of("driver initializations");
    return new Driver{visible_devices(), getpid()};
  }();
  return only;
}

}  // namespace

namespace fake_cuda {

cudaError_t check_device(int device) {
  if (driver().process != getpid()) return cudaErrorInitializationError;
  if (driver().devices == 0) return cudaErrorNoDevice;
  return device >= 0 && device < driver().devices ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t answered(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace fake_cuda

FAKE_CUDA_API cudaError_t cudaGetDeviceCount(int* count) {
  FAKE_CUDA_COUNTED;
  *count = driver().devices;
  return answered(check_device(0));
}

FAKE_CUDA_API cudaError_t cudaGetDevice(int* device) {
  FAKE_CUDA_COUNTED;
  *device = current_device();
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaSetDevice(int device) {
  FAKE_CUDA_COUNTED;
  const cudaError_t error = check_device(device);
  if (error == cudaSuccess) current_device() = device;
  return answered(error);
}

FAKE_CUDA_API cudaError_t cudaRuntimeGetVersion(int* version) {
  FAKE_CUDA_COUNTED;
  *version = CUDART_VERSION;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaDriverGetVersion(int* version) {
  FAKE_CUDA_COUNTED;
  *version = CUDART_VERSION;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaGetLastError() {
  FAKE_CUDA_COUNTED;
  return std::exchange(last_error, cudaSuccess);
}

FAKE_CUDA_API cudaError_t cudaPeekAtLastError() {
  FAKE_CUDA_COUNTED;
  return last_error;
}

FAKE_CUDA_API const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    default:
      return "cudaErrorUnknown";
  }
}

FAKE_CUDA_API const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
    case cudaErrorNotSupported:
      return "not supported by the stand-in for CUDA";
    default:
      return "an error of the stand-in for CUDA";
  }
}

FAKE_CUDA_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  FAKE_CUDA_COUNTED;
  if (const cudaError_t error = check_device(device)) return answered(error);
  std::memset(properties, 0, sizeof *properties);
  std::strcpy(properties->name, "Stand-in GPU");
  properties->uuid.bytes[0] = static_cast<char>(device);
  properties->pciBusID = device + 1;
  properties->totalGlobalMem = settings().memory;
  properties->major = kComputeMajor;
  properties->minor = kComputeMinor;
  properties->multiProcessorCount = kMultiprocessors;
  properties->warpSize = 32;
  properties->sharedMemPerBlock = kSharedMemory;
  properties->sharedMemPerBlockOptin = kSharedMemoryOptin;
  properties->sharedMemPerMultiprocessor = 233472;
  properties->regsPerBlock = properties->regsPerMultiprocessor = 65536;
  properties->maxThreadsPerBlock = properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->maxGridSize[0] = 2147483647;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->l2CacheSize = 50 << 20;
  properties->memoryBusWidth = 5120;
  properties->totalConstMem = 65536;
  properties->textureAlignment = 512;
  properties->asyncEngineCount = 3;
  properties->unifiedAddressing = properties->canMapHostMemory = properties->concurrentKernels = 1;
  properties->cooperativeLaunch = properties->memoryPoolsSupported = properties->streamPrioritiesSupported = 1;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  FAKE_CUDA_COUNTED;
  if (const cudaError_t error = check_device(device)) return answered(error);
  *value = attribute_of(attribute);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  FAKE_CUDA_COUNTED;
  std::snprintf(text, static_cast<std::size_t>(size), "0000:%02x:00.0", device + 1);
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  FAKE_CUDA_COUNTED;
  *can = 1;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  FAKE_CUDA_COUNTED;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaProfilerStart() {
  FAKE_CUDA_COUNTED;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaProfilerStop() {
  FAKE_CUDA_COUNTED;
  return cudaSuccess;
}

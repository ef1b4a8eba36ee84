// SPDX-License-Identifier: Apache-2.0
// Registers and launches kernels, with the functions that nvcc's host code calls.
#include "tests/fake_cuda/kernels.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/fake_cuda/arena.h"
#include "tests/fake_cuda/counts.h"
#include "tests/fake_cuda/launches.h"
#include "tests/fake_cuda/settings.h"
#include "tests/fake_cuda/streams.h"
#include "tests/fake_cuda/twins.h"

namespace fake_cuda {
namespace {

struct Variable {
  void* value;
  std::size_t size;
};

struct Kernels {
  std::mutex mutex;
  std::unordered_map<const void*, const Kernel*> by_handle;  ///< keyed by host function or by Kernel
  std::unordered_map<const void*, Variable> variables;
};

Kernels& kernels() {
  static Kernels& only = *new Kernels;
  return only;
}

struct LaunchConfiguration {
  dim3 grid;
  dim3 block;
  std::size_t shared_memory;
  cudaStream_t stream;
};

std::vector<LaunchConfiguration>& pushed_configurations() {
  thread_local std::vector<LaunchConfiguration> all;
  return all;
}

const Kernel* kernel_of(const void* handle) {
  const std::lock_guard lock(kernels().mutex);
  const auto found = kernels().by_handle.find(handle);
  return found == kernels().by_handle.end() ? nullptr : found->second;
}

}  // namespace

const Kernel* register_kernel(const void* handle, const std::string& mangled) {
  const auto* kernel = new Kernel{mangled};
  const std::lock_guard lock(kernels().mutex);
  kernels().by_handle[kernel] = kernel;
  if (handle != nullptr) kernels().by_handle[handle] = kernel;
  return kernel;
}

cudaError_t launch(const void* handle, dim3 grid, dim3 block, void** arguments, cudaStream_t stream) {
  const Kernel* kernel = kernel_of(handle);
  if (kernel == nullptr) return answered(cudaErrorInvalidDeviceFunction);
  count_launch(stream, kernel->mangled.c_str());
  ++count_of("kernel " + kernel->mangled);
  if (settings().logs) std::fprintf(stderr, "[fake CUDA] %s\n", kernel->mangled.c_str());
  work::Work twin = twin_of(kernel->mangled, grid, block, arguments);
  if (!twin) {
    ++count_of("launches without a twin");
    ++count_of("without a twin: " + kernel->mangled);
  }
  enqueue(stream, kernel->mangled, std::move(twin));
  return cudaSuccess;
}

}  // namespace fake_cuda

using namespace fake_cuda;

// Libraries register their kernels when they are loaded. This needs no driver, so it is not counted.
FAKE_CUDA_API void** __cudaRegisterFatBinary(void*) { return static_cast<void**>(std::calloc(4, sizeof(void*))); }

FAKE_CUDA_API void __cudaRegisterFatBinaryEnd(void**) {}
FAKE_CUDA_API void __cudaUnregisterFatBinary(void** handle) { std::free(handle); }
FAKE_CUDA_API char __cudaInitModule(void**) { return 1; }

FAKE_CUDA_API void __cudaRegisterFunction(void**, const char* host, char*, const char* mangled, int, uint3*, uint3*,
                                          dim3*, dim3*, int*) {
  register_kernel(host, mangled);
}

FAKE_CUDA_API void __cudaRegisterVar(void**, char* host, char*, const char*, int, std::size_t size, int, int) {
  const std::lock_guard lock(kernels().mutex);
  kernels().variables[host] = {std::calloc(1, size), size};
}

FAKE_CUDA_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_memory,
                                                   CUstream_st* stream) {
  pushed_configurations().push_back({grid, block, shared_memory, stream});
  return 0;
}

FAKE_CUDA_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_memory,
                                                     void* stream) {
  if (pushed_configurations().empty()) return answered(cudaErrorMissingConfiguration);
  const LaunchConfiguration last = pushed_configurations().back();
  pushed_configurations().pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_memory = last.shared_memory;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  const Kernel* found = kernel_of(host);
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<Kernel*>(found));
  return found == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

FAKE_CUDA_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t,
                                             cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  return launch(kernel, grid, block, arguments, stream);
}

FAKE_CUDA_API cudaError_t cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, std::size_t,
                                           cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  return launch(host, grid, block, arguments, stream);
}

FAKE_CUDA_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* host, void** arguments) {
  FAKE_CUDA_COUNTED;
  return launch(host, config->gridDim, config->blockDim, arguments, config->stream);
}

FAKE_CUDA_API cudaError_t cudaLaunchCooperativeKernel(const void* host, dim3 grid, dim3 block, void** arguments,
                                                      std::size_t, cudaStream_t stream) {
  FAKE_CUDA_COUNTED;
  return launch(host, grid, block, arguments, stream);
}

FAKE_CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* argument) {
  FAKE_CUDA_COUNTED;
  enqueue(stream, "host function", [=] { function(argument); });
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* argument,
                                                unsigned) {
  FAKE_CUDA_COUNTED;
  enqueue(stream, "callback", [=] { function(stream, cudaSuccess, argument); });
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  FAKE_CUDA_COUNTED;
  *attributes = {};
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->binaryVersion = attributes->ptxVersion = 90;
  attributes->maxDynamicSharedSizeBytes = 49152;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  FAKE_CUDA_COUNTED;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads,
                                                                                 std::size_t, unsigned) {
  FAKE_CUDA_COUNTED;
  *blocks = threads > 0 ? 2048 / threads : 1;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                                        std::size_t shared_memory) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared_memory, 0);
}

FAKE_CUDA_API cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  FAKE_CUDA_COUNTED;
  const std::lock_guard lock(kernels().mutex);
  const auto found = kernels().variables.find(symbol);
  if (found == kernels().variables.end()) return answered(cudaErrorInvalidSymbol);
  *address = found->second.value;
  return cudaSuccess;
}

FAKE_CUDA_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                                             std::size_t offset, cudaMemcpyKind) {
  FAKE_CUDA_COUNTED;
  void* address = nullptr;
  const cudaError_t error = cudaGetSymbolAddress(&address, symbol);
  if (error == cudaSuccess) std::memcpy(static_cast<std::byte*>(address) + offset, from, bytes);
  return error;
}

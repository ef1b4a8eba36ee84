// SPDX-License-Identifier: Apache-2.0
// The part of the driver API that LibTorch calls, by name or through the runtime.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "tests/fake_cuda/counts.h"
#include "tests/fake_cuda/kernels.h"

// cuda.h adds a suffix to the names of some functions. The driver exports both names.
using namespace fake_cuda;

namespace {

char primary_context;

long not_supported() {
  FAKE_CUDA_COUNTED;
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace

FAKE_CUDA_API CUresult cuInit(unsigned) {
  FAKE_CUDA_COUNTED;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuDriverGetVersion(int* version) {
  FAKE_CUDA_COUNTED;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "an error of the stand-in for the driver";
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuCtxGetCurrent(CUcontext* context) {
  FAKE_CUDA_COUNTED;
  *context = reinterpret_cast<CUcontext>(&primary_context);
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuCtxSetCurrent(CUcontext) {
  FAKE_CUDA_COUNTED;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  FAKE_CUDA_COUNTED;
  *device = ordinal;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute, CUdevice) {
  FAKE_CUDA_COUNTED;
  *value = 0;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned* flags, int* is_active) {
  FAKE_CUDA_COUNTED;
  if (flags != nullptr) *flags = 0;
  *is_active = 1;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return cuCtxGetCurrent(context); }

FAKE_CUDA_API CUresult cuPointerGetAttribute(void* value, CUpointer_attribute, CUdeviceptr) {
  FAKE_CUDA_COUNTED;
  *static_cast<void**>(value) = &primary_context;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuGetExportTable(const void** table, const CUuuid*) {
  FAKE_CUDA_COUNTED;
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

FAKE_CUDA_API CUresult cuModuleLoadData(CUmodule* module, const void*) {
  FAKE_CUDA_COUNTED;
  static char only;
  *module = reinterpret_cast<CUmodule>(&only);
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  FAKE_CUDA_COUNTED;
  *function = reinterpret_cast<CUfunction>(const_cast<Kernel*>(register_kernel(nullptr, name)));
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuModuleUnload(CUmodule) {
  FAKE_CUDA_COUNTED;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) {
  FAKE_CUDA_COUNTED;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t) {
  FAKE_CUDA_COUNTED;
  *blocks = 8;
  return CUDA_SUCCESS;
}

FAKE_CUDA_API CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned, CUstream stream,
                                      void** arguments, void**) {
  FAKE_CUDA_COUNTED;
  launch(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, arguments, stream);
  return CUDA_SUCCESS;
}

FAKE_CUDA_API cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                                           unsigned long long,
                                                           cudaDriverEntryPointQueryResult* result) {
  FAKE_CUDA_COUNTED;
  *function = dlsym(RTLD_DEFAULT, name);
  if (*function == nullptr) *function = reinterpret_cast<void*>(&not_supported);
  if (result != nullptr) *result = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

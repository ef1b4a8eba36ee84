// SPDX-License-Identifier: Apache-2.0
#include "precision/gpu/capture.h"

#include <dlfcn.h>

#include "precision/gpu/symbols.h"

namespace ampprof::gpu {
namespace {

// Values of CUresult and CUstreamCaptureStatus, which cuda.h fixes for all releases.
constexpr int kNoError = 0;
constexpr int kNotCapturing = 0;

/// Functions of the driver; null if there is no driver.
struct Driver {
  int (*is_capturing)(void* stream, int* status) = nullptr;
  int (*current_context)(void** context) = nullptr;

  Driver() {
    Symbols symbols(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL));
    symbols.find(is_capturing, "cuStreamIsCapturing");
    symbols.find(current_context, "cuCtxGetCurrent");
  }
};

const Driver& driver() {
  static const Driver only;
  return only;
}

}  // namespace

bool is_capturing(void* stream) {
  if (driver().is_capturing == nullptr || (stream == nullptr && !has_context())) return false;
  int status = kNotCapturing;
  const int result = driver().is_capturing(stream, &status);
  return result != kNoError || status != kNotCapturing;
}

bool has_context() {
  void* context = nullptr;
  return driver().current_context != nullptr && driver().current_context(&context) == kNoError && context != nullptr;
}

}  // namespace ampprof::gpu

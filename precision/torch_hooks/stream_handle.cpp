// SPDX-License-Identifier: Apache-2.0
#include "precision/torch_hooks/stream_handle.h"

#include <dlfcn.h>

#include <stdexcept>

namespace ampprof::torch_hooks {
namespace {

/// Symbol of c10::cuda::CUDAStream::stream(). A CUDAStream consists of its c10::Stream only.
constexpr const char* kStreamOfCuda = "_ZNK3c104cuda10CUDAStream6streamEv";

[[maybe_unused]] void* looked_up(const c10::Stream& stream) {
  static void* const library = dlopen("libc10_cuda.so", RTLD_LAZY | RTLD_NOLOAD);
  static const auto stream_of =
      library == nullptr ? nullptr : reinterpret_cast<void* (*)(const c10::Stream*)>(dlsym(library, kStreamOfCuda));
  if (stream_of == nullptr) throw std::runtime_error("LibTorch gives no access to its CUDA stream");
  return stream_of(&stream);
}

/// LibTorch 2.9 has no function that returns the handle, so the symbol of CUDAStream is called instead.
template <class Stream>
void* handle(const Stream& stream) {
  if constexpr (requires { stream.native_handle(); }) {
    return stream.native_handle();
  } else {
    return looked_up(stream);
  }
}

}  // namespace

void* handle_of(const c10::Stream& stream) { return handle(stream); }

}  // namespace ampprof::torch_hooks

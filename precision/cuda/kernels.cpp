// SPDX-License-Identifier: Apache-2.0
#include "precision/cuda/kernels.h"

#include <dlfcn.h>

#include <filesystem>

namespace ampprof::cuda {
namespace {

constexpr const char* kLibrary = "libampprof_cuda.so";

struct Opened {
  const Kernels* kernels = nullptr;
  std::string why_not;
};

Opened opened_from(const std::filesystem::path& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, dlerror()};
  return {static_cast<const Kernels*>(dlsym(library, kSymbol)), ""};
}

Opened opened() {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&opened_from), &self) == 0)
    return {nullptr, "cannot determine the path of ampprof's library"};
  const auto folder = std::filesystem::absolute(self.dli_fname).parent_path();
  for (const auto& file : {folder / kLibrary, folder / ".." / AMPPROF_TORCH_FOLDER / kLibrary}) {
    if (std::filesystem::exists(file)) return opened_from(file);
  }
  return {nullptr, std::string("ampprof was built without CUDA: there is no ") + kLibrary + " beside it"};
}

const Opened& only() {
  static const Opened& once = *new Opened(opened());  // never destroyed: used until the process exits
  return once;
}

}  // namespace

const Kernels* kernels() { return only().kernels; }

const std::string& why_no_kernels() { return only().why_not; }

}  // namespace ampprof::cuda

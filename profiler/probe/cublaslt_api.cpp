// SPDX-License-Identifier: Apache-2.0
#include "profiler/probe/cublaslt_api.h"

#include <dlfcn.h>

namespace ampprof::profiler {

CublasLtLibrary load_cublaslt(const std::string& path) {
  const std::string name = path.empty() ? "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR) : path;
  CublasLtLibrary loaded;
  void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    const char* words = dlerror();
    loaded.error = words != nullptr ? words : "the loader gives no reason";
    return loaded;
  }
  const auto need = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (function == nullptr && loaded.error.empty()) loaded.error = "it has no function " + std::string(symbol);
  };
  CublasLtApi& api = loaded.api;
  need(api.create, "cublasLtCreate");
  need(api.destroy, "cublasLtDestroy");
  need(api.get_version, "cublasLtGetVersion");
  need(api.get_status_string, "cublasLtGetStatusString");
  need(api.create_operation, "cublasLtMatmulDescCreate");
  need(api.destroy_operation, "cublasLtMatmulDescDestroy");
  need(api.set_operation, "cublasLtMatmulDescSetAttribute");
  need(api.create_layout, "cublasLtMatrixLayoutCreate");
  need(api.destroy_layout, "cublasLtMatrixLayoutDestroy");
  need(api.set_layout, "cublasLtMatrixLayoutSetAttribute");
  need(api.create_preference, "cublasLtMatmulPreferenceCreate");
  need(api.destroy_preference, "cublasLtMatmulPreferenceDestroy");
  need(api.set_preference, "cublasLtMatmulPreferenceSetAttribute");
  need(api.get_heuristic, "cublasLtMatmulAlgoGetHeuristic");
  need(api.get_capability, "cublasLtMatmulAlgoCapGetAttribute");
  need(api.get_config, "cublasLtMatmulAlgoConfigGetAttribute");
  return loaded;
}

std::string words_for(const CublasLtApi& api, cublasStatus_t status) {
  const char* words = api.get_status_string(status);
  const std::string number = std::to_string(static_cast<int>(status));
  return words != nullptr ? std::string(words) + " (" + number + ")" : "status " + number;
}

}  // namespace ampprof::profiler

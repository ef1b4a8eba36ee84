// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/device/cublaslt_api.h"

#include <dlfcn.h>

#include "precision/gpu/symbols.h"

namespace ampprof::probe {

CublasLtLibrary load_cublaslt(const std::string& path) {
  const std::string name = path.empty() ? "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR) : path;
  void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return {.api = {}, .error = gpu::why_not_opened()};
  CublasLtLibrary loaded;
  CublasLtApi& api = loaded.api;
  gpu::Symbols symbols(library);
  symbols.need(api.create, "cublasLtCreate");
  symbols.need(api.destroy, "cublasLtDestroy");
  symbols.need(api.get_version, "cublasLtGetVersion");
  symbols.need(api.get_status_string, "cublasLtGetStatusString");
  symbols.need(api.create_operation, "cublasLtMatmulDescCreate");
  symbols.need(api.destroy_operation, "cublasLtMatmulDescDestroy");
  symbols.need(api.set_operation, "cublasLtMatmulDescSetAttribute");
  symbols.need(api.create_layout, "cublasLtMatrixLayoutCreate");
  symbols.need(api.destroy_layout, "cublasLtMatrixLayoutDestroy");
  symbols.need(api.set_layout, "cublasLtMatrixLayoutSetAttribute");
  symbols.need(api.create_preference, "cublasLtMatmulPreferenceCreate");
  symbols.need(api.destroy_preference, "cublasLtMatmulPreferenceDestroy");
  symbols.need(api.set_preference, "cublasLtMatmulPreferenceSetAttribute");
  symbols.need(api.get_heuristic, "cublasLtMatmulAlgoGetHeuristic");
  symbols.need(api.get_capability, "cublasLtMatmulAlgoCapGetAttribute");
  symbols.need(api.get_config, "cublasLtMatmulAlgoConfigGetAttribute");
  if (!symbols.absent().empty()) loaded.error = "the library has no function " + symbols.absent();
  return loaded;
}

std::string words_for(const CublasLtApi& api, cublasStatus_t status) {
  const char* words = api.get_status_string(status);
  const std::string number = std::to_string(static_cast<int>(status));
  return words != nullptr ? std::string(words) + " (" + number + ")" : "status " + number;
}

}  // namespace ampprof::probe

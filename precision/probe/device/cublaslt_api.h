// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublasLt.h>

#include <string>

/// Finds cublasLt's functions at run time: a program linked with cublasLt would not start where cublasLt is missing.
namespace ampprof::probe {

struct CublasLtApi {
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtDestroy) destroy = nullptr;
  decltype(&cublasLtGetVersion) get_version = nullptr;
  decltype(&cublasLtGetStatusString) get_status_string = nullptr;
  decltype(&cublasLtMatmulDescCreate) create_operation = nullptr;
  decltype(&cublasLtMatmulDescDestroy) destroy_operation = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) set_operation = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) create_layout = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout = nullptr;
  decltype(&cublasLtMatrixLayoutSetAttribute) set_layout = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) create_preference = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) get_heuristic = nullptr;
  decltype(&cublasLtMatmulAlgoCapGetAttribute) get_capability = nullptr;
  decltype(&cublasLtMatmulAlgoConfigGetAttribute) get_config = nullptr;
};

struct CublasLtLibrary {
  CublasLtApi api = {};
  std::string error = {};  ///< the loader's message, or the missing function; "" on success
};

/// Opens the release of cublasLt that matches the header: LibTorch's copy if this process has loaded it. A nonempty
/// `path` is opened instead.
CublasLtLibrary load_cublaslt(const std::string& path);

/// Returns the status in words: "the requested functionality is not supported (15)".
std::string words_for(const CublasLtApi& api, cublasStatus_t status);

}  // namespace ampprof::probe

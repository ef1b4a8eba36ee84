// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "precision/probe/lines.h"

namespace ampprof::probe {

/// Asks cublasLt which algorithm its heuristic chooses for a GEMM. Does not compute the GEMM.
class CublasLtHeuristic {
 public:
  virtual ~CublasLtHeuristic() = default;

  virtual std::variant<GemmAlgorithm, Failure> algorithm_for(const Case& what) const = 0;
  /// Returns the version; 130100 is cublasLt 13.1.
  virtual std::int64_t version() const = 0;
};

struct OpenedHeuristic {
  std::unique_ptr<CublasLtHeuristic> heuristic = {};  ///< null if cublasLt could not be opened
  std::string why = {};                               ///< sentence: why cublasLt could not be opened
};

/// Opens the libcublasLt of LibTorch in this process, or the file that AMPPROF_CUBLASLT names. `major` is the first
/// number of the GPU's compute capability, which decides the workspace size; 0 if unknown.
OpenedHeuristic open_cublaslt_heuristic(int major);

}  // namespace ampprof::probe

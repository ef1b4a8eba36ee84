// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "precision/probe/lines.h"

namespace ampprof::probe {

/// Asks cublasLt which algorithm its heuristics choose for a GEMM; nothing is computed.
class CublasLtHeuristic {
 public:
  virtual ~CublasLtHeuristic() = default;

  virtual std::variant<GemmAlgorithm, Failure> algorithm_for(const Case& what) const = 0;
  /// 130100 is cublasLt 13.1.
  virtual std::int64_t version() const = 0;
};

struct OpenedHeuristic {
  std::unique_ptr<CublasLtHeuristic> heuristic = {};  ///< null where there is none
  std::string why = {};                 ///< then a sentence
};

/// Opens libcublasLt: that of this process's LibTorch, or the one that AMPPROF_CUBLASLT names. `major` is the GPU's
/// compute capability, on which depends how much workspace LibTorch gives; 0 where it is not known.
OpenedHeuristic open_cublaslt_heuristic(int major);

}  // namespace ampprof::probe

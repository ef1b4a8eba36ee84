// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "precision/probe/lines.h"

namespace ampprof::profiler {

/// Asks cublasLt which algorithm its heuristics choose for a GEMM; nothing is computed.
class Oracle {
 public:
  virtual ~Oracle() = default;

  virtual std::variant<GemmAlgorithm, Failure> algorithm_for(const ProbeCase& what) const = 0;
  /// 130100 is cublasLt 13.1.
  virtual std::int64_t version() const = 0;
};

struct OpenedOracle {
  std::unique_ptr<Oracle> oracle = {};  ///< null where there is none
  std::string why = {};                 ///< then a sentence
};

/// Opens libcublasLt: that of this process's LibTorch, or the one that AMPPROF_CUBLASLT names. `major` is the GPU's
/// compute capability, on which depends how much workspace LibTorch gives; 0 where it is not known.
OpenedOracle open_oracle(int major);

}  // namespace ampprof::profiler

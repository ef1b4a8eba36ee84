// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/device/cublaslt_heuristic.h"

namespace ampprof::probe {

OpenedHeuristic open_cublaslt_heuristic(int) {
  return {.why = "This ampprof was built without cublasLt.h, so cublasLt was not asked"};
}

}  // namespace ampprof::probe

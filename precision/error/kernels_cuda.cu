// SPDX-License-Identifier: Apache-2.0
#include "precision/error/kernels_cuda.h"

#include "precision/error/measure.cuh"

namespace ampprof::error::cuda {

std::string launch_measure(Elements output, Elements reference, Spacing spacing, AccumulatorWithExponents* into,
                           int device, void* stream) {
  return launch_measure(output, reference, spacing, into, Queue{device, stream}, [](const auto*) { return Alone{}; });
}

}  // namespace ampprof::error::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/error/kernels_cuda.h"
#include "precision/formats/quantize/kernels_cuda.h"
#include "precision/sketch/kernels_cuda.h"
#include "precision/update/kernels_cuda.h"

namespace ampprof::cuda {

/// Entry points of libampprof_cuda.so, exported under kSymbol. A new kernel needs a line here and one in module.cpp.
struct Kernels {
  decltype(&error::cuda::launch_measure) measure;
  decltype(&sketch::cuda::launch_add) add_sketch;
  decltype(&sketch::cuda::launch_checksum) add_checksum;
  decltype(&sketch::cuda::launch_measure_and_add) measure_and_add_sketch;
  decltype(&update::cuda::launch_add_change) add_change;
  decltype(&quantize::cuda::launch_quantize) quantize;
  decltype(&quantize::cuda::launch_amax) quantize_amax;
};

inline constexpr const char* kSymbol = "ampprof_cuda_kernels";

/// Returns the kernels, or null if they were not built or cannot be opened. The first call opens the library, in the
/// folder of the binary that contains this code or in ../AMPPROF_TORCH_FOLDER relative to that folder. Thread-safe.
const Kernels* kernels();

/// Returns a sentence that says why there are no kernels; "" if there are.
const std::string& why_no_kernels();

}  // namespace ampprof::cuda

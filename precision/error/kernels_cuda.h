// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/error/accumulator.h"
#include "precision/error/kernels.h"

namespace ampprof::error::cuda {

/// Adds the statistics of an output against its reference to `into`; the reference may be empty (null `data`). Launches
/// one kernel for one pass and does not wait. All memory is on `device`, and the result is ready in the order of
/// `stream`, a cudaStream_t of that device. Returns CUDA's error for the launch; "" on success.
///
/// The CPU twin cpu::measure() is the definition. The kernel is as accurate: counts and ranges are exact, against a
/// Float reference the error of a pair is rounded to float, and sums are within 1e-6 of the exact ones. The order of
/// additions, and so the last bits of the sums, may change with each launch.
std::string launch_measure(Elements output, Elements reference, Spacing spacing, AccumulatorWithExponents* into,
                           int device, void* stream);

}  // namespace ampprof::error::cuda

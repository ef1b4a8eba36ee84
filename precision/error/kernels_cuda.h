// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/error/accumulator.h"
#include "precision/error/kernels.h"

namespace ampprof::error::cuda {

/// Adds the statistics of an output against its reference, which may be empty (`data` is null), to `into`. One launch,
/// one pass, no wait: `into`, like the elements, lies in memory of `device` and is ready once the stream has come
/// there. `stream` is a cudaStream_t of that device. Returns what CUDA says of the launch; "" if it was accepted.
///
/// The CPU twin, which defines it, is cpu::measure(), and it is as exact: counts and ranges are, and against a Float
/// reference the error of a pair is rounded to float, and sums are within 1e-6. The order of sums, and with it their
/// last bits, differs from run to run.
std::string launch_measure(Elements output, Elements reference, Spacing spacing, AccumulatorWithExponents* into,
                           int device, void* stream);

}  // namespace ampprof::error::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/error/accumulator.h"
#include "precision/error/kernels.h"

namespace ampprof::error::cuda {

/// Adds the statistics of an output against its reference, which may be empty (`data` is null), to `into`. One launch,
/// one pass, no wait: `into`, like the elements, lies in memory of `device` and is ready once the stream has come
/// there. `stream` is a cudaStream_t of that device. All sums are in double; their order, and with it the last bits,
/// differ from run to run. Returns what CUDA says of the launch; "" if it was accepted.
///
/// The CPU twin, which defines it, is cpu::measure().
std::string launch_measure(Elements output, Elements reference, Spacing spacing, AccumulatorWithExponents* into,
                           int device, void* stream);

}  // namespace ampprof::error::cuda

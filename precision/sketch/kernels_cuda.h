// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/error/accumulator.h"
#include "precision/formats/types/elements.h"
#include "reports/records/sketch.h"

namespace ampprof::sketch::cuda {

/// A sketch in device memory, to which the kernels add. The number of elements is missing, since the host stores it.
/// All zeros are an empty sketch.
struct DeviceSketch {
  double sums[kSketchSums];
  double sum_sq;
  unsigned long long nonfinite;  // the type of CUDA's atomics
  unsigned long long checksum;
};

/// Converts a sketch to the form on the host.
Sketch sketch_from(const DeviceSketch& found);
/// Adds `sketch` to `found`, both in host memory.
void add_to(DeviceSketch& found, const Sketch& sketch);

/// Each function enqueues one kernel, which reads the values once, and returns without waiting. Values and destination
/// are in memory of `device`, and the result is ready in the order of `stream`, a cudaStream_t of that device. The
/// order of additions in double is not fixed. Returns CUDA's error for the launch; "" on success.
///
/// Adds floating values; sketch::add() is the definition.
std::string launch_add(const error::Elements& values, std::uint64_t start, DeviceSketch* into, int device,
                       void* stream);

/// Adds the checksum of `count` elements of any type to `into->checksum`, like sketch::checksum_of() with start 0.
std::string launch_checksum(const void* data, std::size_t count, std::size_t bytes_each, DeviceSketch* into, int device,
                            void* stream);

/// Does the work of error::cuda::launch_measure() and of launch_add() for the output in one pass.
std::string launch_measure_and_add(error::Elements output, error::Elements reference, error::Spacing spacing,
                                   error::cuda::AccumulatorWithExponents* measured, std::uint64_t start,
                                   DeviceSketch* into, int device, void* stream);

}  // namespace ampprof::sketch::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/error/accumulator.h"
#include "precision/formats/types/elements.h"
#include "reports/records/sketch.h"

namespace ampprof::sketch::cuda {

/// A sketch as kernels leave it in device memory, but for the number of elements, which is known. All zero is that of
/// nothing.
struct DeviceSketch {
  double sums[kSketchSums];
  double sum_sq;
  unsigned long long nonfinite;  // the type of CUDA's atomics
  unsigned long long checksum;
};

/// Returns it in the form that everybody else uses.
Sketch sketch_from(const DeviceSketch& found);
/// Adds a sketch to it; on the host.
void add_to(DeviceSketch& found, const Sketch& sketch);

/// Each enqueues one kernel, which reads the values once, and does not wait: what is added to, like the values, lies in
/// memory of `device` and is ready once `stream`, a cudaStream_t of that device, has come there. Sums in double are
/// added in no fixed order. Returns what CUDA says of the launch; "" if it was accepted.
///
/// Adds floating values, as sketch::add() does, which defines it.
std::string launch_add(const error::Elements& values, std::uint64_t start, DeviceSketch* into, int device,
                       void* stream);

/// Adds the checksum of `count` elements of any type, as sketch::checksum_of() returns it for a start of 0, to that of
/// `into`.
std::string launch_checksum(const void* data, std::size_t count, std::size_t bytes_each, DeviceSketch* into, int device,
                            void* stream);

/// Does in one pass what error::cuda::launch_measure() and launch_add() of the output do.
std::string launch_measure_and_add(error::Elements output, error::Elements reference, error::Spacing spacing,
                                   error::cuda::AccumulatorWithExponents* measured, std::uint64_t start,
                                   DeviceSketch* into, int device, void* stream);

}  // namespace ampprof::sketch::cuda

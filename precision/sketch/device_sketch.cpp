// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "precision/sketch/kernels_cuda.h"

namespace ampprof::sketch::cuda {

Sketch sketch_from(const DeviceSketch& found) {
  Sketch sketch{.nonfinite = static_cast<std::int64_t>(found.nonfinite),
                .checksum = static_cast<std::int64_t>(found.checksum),
                .sum_sq = found.sum_sq};
  std::ranges::copy(found.sums, sketch.sums.begin());
  return sketch;
}

void add_to(DeviceSketch& found, const Sketch& sketch) {
  for (std::size_t i = 0; i < kSketchSums; ++i) found.sums[i] += sketch.sums[i];
  found.sum_sq += sketch.sum_sq;
  found.nonfinite += static_cast<unsigned long long>(sketch.nonfinite);
  found.checksum += static_cast<unsigned long long>(sketch.checksum);
}

}  // namespace ampprof::sketch::cuda

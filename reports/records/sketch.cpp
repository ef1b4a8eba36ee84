// SPDX-License-Identifier: Apache-2.0
#include "reports/records/sketch.h"

#include <cmath>

namespace ampprof {

double distance(const Sketch& a, const Sketch& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < kSketchSums; ++i) {
    const double difference = a.sums[i] - b.sums[i];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

}  // namespace ampprof

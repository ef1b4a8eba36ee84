// SPDX-License-Identifier: Apache-2.0
#include "reports/records/sketch.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace ampprof {

double distance(const Sketch& a, const Sketch& b) {
  const auto squared_difference = [](double x, double y) { return (x - y) * (x - y); };
  return std::sqrt(
      std::inner_product(a.sums.begin(), a.sums.end(), b.sums.begin(), 0.0, std::plus(), squared_difference));
}

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace ampprof {

/// Root of the sum of the squares: what independent deviations add up to. std::hypot() would ask for glibc 2.35 at run
/// time, which clusters do not have.
inline double in_quadrature(double a, double b) { return std::sqrt(a * a + b * b); }

}  // namespace ampprof

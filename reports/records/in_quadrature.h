// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace ampprof {

/// Returns the root of the sum of squares, which combines independent deviations. Avoids std::hypot(), which would need
/// glibc 2.35 at run time; clusters have older versions.
inline double in_quadrature(double a, double b) { return std::sqrt(a * a + b * b); }

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "reports/records/dtype.h"

namespace ampprof {

/// An op call that used a stale cast: torch.autocast had copied a parameter, and the parameter was written afterwards.
struct StaleCast {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::string parameter;          ///< "" if it has no name
  DType dtype = DType::Unknown;   ///< type of the copy
  std::int64_t cast_segment = 0;  ///< segment of the cast
  std::int64_t elements = 0;      ///< elements of the copy
  std::int64_t differing = 0;     ///< elements that would differ if this call cast the parameter again
  double sum_sq_change = 0.0;     ///< sum of (copy - cast)^2 where both are finite; 0 if their shapes differ
  double sum_sq_cast = 0.0;       ///< sum of cast^2 over the same elements

  double differing_share() const { return static_cast<double>(differing) / static_cast<double>(elements); }
  /// Returns ||copy - cast|| / ||cast|| over the elements of the sums. Infinity if sum_sq_cast is 0: the shapes differ,
  /// or no element is both finite and not 0.
  double relative_change() const {
    return sum_sq_cast > 0 ? std::sqrt(sum_sq_change / sum_sq_cast) : std::numeric_limits<double>::infinity();
  }
};

/// Decisions of one call: integer and boolean results that the call computed from floating-point values.
struct CallDecisions {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::int64_t decisions = 0;
  std::int64_t differing = 0;  ///< decisions that differ from those in the step's shadow
};

}  // namespace ampprof

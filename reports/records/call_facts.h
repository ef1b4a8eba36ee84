// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "reports/records/dtype.h"

namespace ampprof {

/// An op call that computed with a stale cast: a copy of a parameter that torch.autocast had made before the parameter
/// was written.
struct StaleCast {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::string parameter;          ///< "" where it has no name
  DType dtype = DType::Unknown;   ///< of the copy
  std::int64_t cast_segment = 0;  ///< that the copy was made in
  std::int64_t elements = 0;      ///< of the copy
  std::int64_t differing = 0;     ///< of these, a cast in this call would have given another value
  double sum_sq_change = 0.0;     ///< of (copy - cast) where both are finite; 0 where their shapes differ
  double sum_sq_cast = 0.0;       ///< of `cast`, likewise

  double differing_share() const { return static_cast<double>(differing) / static_cast<double>(elements); }
  /// Returns ||copy - cast|| / ||cast||; infinity where no element of a cast of the same shape is finite and not 0.
  double relative_change() const {
    return sum_sq_cast > 0 ? std::sqrt(sum_sq_change / sum_sq_cast) : std::numeric_limits<double>::infinity();
  }
};

/// Decisions of one call: integer and boolean results that it computed of floating-point values.
struct CallDecisions {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::int64_t decisions = 0;
  std::int64_t differing = 0;  ///< of these, in the step that is computed beside the run
};

}  // namespace ampprof

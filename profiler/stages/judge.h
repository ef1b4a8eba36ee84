// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "precision/error/measured.h"
#include "reports/records/records.h"

/// What the stages share that compare a call's outputs in two precisions.
namespace ampprof::profiler {

/// A defined, dense floating tensor.
inline bool is_measurable(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_floating_point() && !tensor.is_sparse() && !tensor.is_nested();
}

/// The two are not the same: there is an error that can change a loss.
inline bool differs(const Measured& measured) {
  return measured.local && (measured.local->max_abs > 0 || measured.local->excluded > 0);
}

/// Puts what was measured of all outputs of a call into its record.
inline void put(OpCall& record, const Measured& measured) {
  record.local = measured.local;
  record.ranges = measured.ranges;
  record.exponents = pack(measured.exponents);
}

}  // namespace ampprof::profiler

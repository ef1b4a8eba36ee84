// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "precision/error/output_statistics.h"
#include "precision/tensors/plain_memory.h"
#include "reports/records/records.h"

/// Shared by the stages that compare a call's outputs in two precisions.
namespace ampprof::profiler {

/// Returns whether `tensor` is a floating one whose values can be read; false for an undefined one.
inline bool is_measurable(const at::Tensor& tensor) { return tensor.is_floating_point() && has_plain_memory(tensor); }

/// Puts what was measured of all outputs of a call into its record, if anything was.
inline void put_local(OpCall& record, const std::optional<OutputStatistics>& measured) {
  if (!measured) return;
  record.local = measured->local;
  record.ranges = measured->ranges;
  record.exponents = encode(measured->exponents);
}

inline void put_inherited(OpCall& record, const std::optional<OutputStatistics>& measured) {
  if (!measured || !measured->local) return;
  record.inherited = measured->local;
  record.inherited_exponents = encode(measured->exponents);
}

}  // namespace ampprof::profiler

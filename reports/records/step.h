// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/records/dtype.h"

namespace ampprof {

/// A part of the program's run. A segment begins with the first grad-enabled forward op after gradients were used or an
/// optimizer updated parameters, and ends at the next such op. `step` counts from 1; step 0 holds everything outside of
/// steps: set-up, and the end. `position` numbers the segments of a step.
struct Segment {
  std::int64_t id = 0;
  std::int64_t step = 0;
  std::int32_t position = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;       ///< end of its last optimizer update; without one, of its last op
  std::int64_t overhead_ns = 0;  ///< ampprof's own part
  bool recorded = true;          ///< false outside --steps and --every
  bool skipped = false;          ///< an optimizer update of this segment was skipped
  bool updated = false;          ///< an optimizer updated parameters
};

/// Counts the updates of an optimizer in a run. Its parameters identify it.
struct OptimizerTotal {
  std::int64_t id = 0;          ///< from 1
  std::string parameter;        ///< one of its parameters; "" if no name is known
  std::int64_t parameters = 0;  ///< number of parameters seen
  std::int64_t updates = 0;     ///< updates done
  std::int64_t skipped = 0;
};

/// Statistics of one optimizer call for one parameter.
struct WeightUpdate {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::string parameter;
  DType dtype = DType::Unknown;      ///< type whose ulp is used: the weight's, or that of --what-if
  std::int64_t count = 0;            ///< elements with a nonzero update
  std::optional<std::int64_t> lost;  ///< elements in `count` whose weight stayed the same; empty without a reference
  std::int64_t below_half_ulp = 0;   ///< elements in `count` with |update| < ulp(weight) / 2
  double sum_ulp = 0.0;              ///< sum of |update| / ulp(weight)
};

/// Checksum of one parameter after an update, to compare ranks.
struct ParameterChecksum {
  std::int64_t segment = 0;
  std::string parameter;
  std::int64_t checksum = 0;  ///< of the bits of its elements in order, whatever their strides

  bool operator==(const ParameterChecksum&) const = default;
};

/// A loss before the program multiplies it by a loss scale. The value is recorded before the multiplication, not
/// computed by division.
struct LossValue {
  std::int64_t segment = 0;
  std::int32_t loss_id = 0;
  double value = 0.0;
  std::optional<double> shadow_value = {};  ///< shadow's loss: with --inherited in high precision, else in the recipe
  bool is_shadow_decided = false;           ///< shadow_value depends on decisions that differ from the run's
};

/// One decision of a loss scaler.
struct ScaleUpdate {
  std::int64_t segment = 0;
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool overflow = false;
  bool skipped = false;  ///< the optimizer update is skipped because of this decision
};

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/records/dtype.h"

namespace ampprof {

/// A stretch of the program from the first grad-enabled forward op after gradients were used, or an optimizer updated,
/// to the next such op. `step` counts from 1; step 0 is what belongs to no step: set-up,
/// and what comes behind the last one. `position` counts segments
/// within a step.
struct Segment {
  std::int64_t id = 0;
  std::int64_t step = 0;
  std::int32_t position = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;       ///< end of its last optimizer update, or of its last op where there was none
  std::int64_t overhead_ns = 0;  ///< of that, spent by ampprof itself
  bool recorded = true;          ///< false outside --steps and --every
  bool skipped = false;          ///< an optimizer update of this segment was skipped
  bool updated = false;          ///< one was done
};

/// Counts what an optimizer did in a run. It is known by the parameters that it updates.
struct OptimizerTotal {
  std::int64_t id = 0;          ///< from 1
  std::string parameter;        ///< one that it updates; "" where no name is known
  std::int64_t parameters = 0;  ///< how many it was seen to update
  std::int64_t updates = 0;     ///< done
  std::int64_t skipped = 0;
};

/// Records what one optimizer call did to one parameter.
struct WeightUpdate {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::string parameter;
  DType dtype = DType::Unknown;      ///< whose ulp is meant: the weight's, or that of --what-if
  std::int64_t count = 0;            ///< elements whose update is not zero
  std::optional<std::int64_t> lost;  ///< of those, the weight stayed as it was; empty without a reference
  std::int64_t below_half_ulp = 0;   ///< of those, |update| < ulp(weight) / 2
  double sum_ulp = 0.0;              ///< sum of |update| / ulp(weight)
};

/// The bits that an update left in one parameter, for a comparison of ranks.
struct ParameterChecksum {
  std::int64_t segment = 0;
  std::string parameter;
  std::int64_t checksum = 0;  ///< of the bits of its elements in order, whatever their strides

  bool operator==(const ParameterChecksum&) const = default;
};

/// A loss as the program has it before it multiplies it by a loss scale. It is read there, never divided.
struct LossValue {
  std::int64_t segment = 0;
  std::int32_t loss_id = 0;
  double value = 0.0;
  std::optional<double> shadow_value = {};  ///< of the shadow: in high precision with --inherited, else in the recipe
  bool is_shadow_decided = false;           ///< decisions that differ from the run's are on the way to shadow_value
};

/// One decision of a loss scaler.
struct ScaleUpdate {
  std::int64_t segment = 0;
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool overflow = false;
  bool skipped = false;  ///< the optimizer update is skipped for it
};

}  // namespace ampprof

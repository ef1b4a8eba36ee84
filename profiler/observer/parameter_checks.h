// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/scopes/gradient_leaves.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

class Locked;
struct SessionCore;

/// Makes checksums of all parameters that have gradients, before the first update of the run, where --check-ranks asks
/// for any. They belong to the segment of set-up. So ranks that drift from the first update on began with equal values,
/// and parts of a sharded parameter did not.
void check_first_parameters(SessionCore& core, const Locked& state);

/// Makes checksums of the parameters that an update of this segment wrote, if its step is one that --check-ranks
/// checks. `written`: their memory. Of a parameter with a master its own bits count, not the master's. Those on a
/// device are computed there and come with the figures that are waited for next. What cannot be checked is named in
/// `missing`, once.
void check_parameters(SessionCore& core, const Locked& state, const Segment& updated,
                      const std::vector<GradientLeaves::Identity>& written);

/// Records the checksums that were still on a device; all of them have come.
void record_checksums(SessionCore& core, const Locked& state);

}  // namespace ampprof::profiler

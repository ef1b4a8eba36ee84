// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/scopes/gradient_leaves.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

class Locked;
struct SessionCore;

/// Makes checksums of all parameters with gradients before the first update of the run, if --check-ranks asks for them.
/// They belong to the segment of set-up. They distinguish ranks that drift from the first update on, which began with
/// equal values, from parts of a sharded parameter, which did not.
void check_first_parameters(SessionCore& core, const Locked& state);

/// Makes checksums of the parameters that an update of this segment wrote, if --check-ranks covers its step. `written`:
/// their memory. A parameter with a master is checked by its own bits, not the master's. Checksums on a device are
/// computed there and arrive with the next figures. A parameter that cannot be checked is named in `missing` once.
void check_parameters(SessionCore& core, const Locked& state, const Segment& updated,
                      const std::vector<GradientLeaves::Identity>& written);

/// Records the checksums that were computed on a device. All must have arrived.
void record_checksums(SessionCore& core, const Locked& state);

}  // namespace ampprof::profiler

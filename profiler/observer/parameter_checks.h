// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/scopes/gradient_leaves.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

class Locked;
struct SessionCore;

/// Makes checksums of all parameters with gradients before the first update of the run, if --check-ranks asks for them.
/// The checksums belong to the set-up segment. Replicas are still equal here, even if they drift apart from the first
/// update on. Parts of a sharded parameter are never equal.
void check_first_parameters(SessionCore& core, const Locked& state);

/// Makes checksums of the parameters that an update of this segment wrote, if --check-ranks covers its step. `written`:
/// the memory of these parameters. A parameter with a master weight is checked by its own bits, not the master's.
/// Checksums of parameters on a device are computed there and arrive with the next statistics. A parameter that cannot
/// be checked adds to `missing` once.
void check_parameters(SessionCore& core, const Locked& state, const Segment& updated,
                      const std::vector<GradientLeaves::Identity>& written);

/// Records the checksums that were computed on a device. They must have arrived.
void record_checksums(SessionCore& core, const Locked& state);

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/scopes/gradient_leaves.h"

namespace ampprof::profiler {

struct SessionCore;

/// Ends the program by exit() if an update has made a weight NaN or inf (--stop-on nonfinite-update). `written`: the
/// memory of the weights that the update wrote. Waits for the device. Takes the session's lock, and releases it before
/// the exit.
void stop_at_nonfinite(SessionCore& core, const std::vector<GradientLeaves::Identity>& written);

}  // namespace ampprof::profiler

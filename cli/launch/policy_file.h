// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/installation.h"
#include "cli/launch/options.h"
#include "cli/launch/program.h"

namespace ampprof::cli {

/// Reads the file of --policy, if there is one. Throws UsageError for one that is no policy or names an op that the
/// program's LibTorch does not have, and where no run would follow it. Ops outside LibTorch are the program's, and
/// pass.
void check_policy(const RunOptions& options, const Program& program, const Installation& installation);

}  // namespace ampprof::cli

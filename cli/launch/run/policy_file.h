// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"
#include "cli/launch/program/program.h"

namespace ampprof::cli {

/// Returns whether matmuls are to run in a recipe: that of --recipe, or one that the file of --policy names.
bool runs_in_recipe(const RunOptions& options);

/// Throws UsageError for a --recipe that there is not, and for recipes that cannot be what this run is asked for.
void check_recipe(const RunOptions& options);

/// Reads the file of --policy, if there is one. Throws UsageError for one that is no policy or names an op that the
/// program's LibTorch does not have, and where no run would follow it. Ops outside LibTorch are the program's, and
/// pass.
void check_policy(const RunOptions& options, const Program& program, const Installation& installation);

}  // namespace ampprof::cli

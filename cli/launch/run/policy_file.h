// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"
#include "cli/launch/program/program.h"

namespace ampprof::cli {

/// Returns whether matmuls are to run in a recipe: that of --recipe, or one in the file of --policy.
bool runs_in_recipe(const RunOptions& options);

/// Throws UsageError for an unknown --recipe, and for recipes that do not go with the other options of this run.
void check_recipe(const RunOptions& options);

/// Reads the file of --policy, if there is one. Throws UsageError if it is invalid, names an op that the program's
/// LibTorch lacks, or cannot take effect in any run. Ops outside of LibTorch are the program's, and pass.
void check_policy(const RunOptions& options, const Program& program, const Installation& installation);

}  // namespace ampprof::cli

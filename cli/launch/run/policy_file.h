// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"
#include "cli/launch/program/program.h"

namespace ampprof::cli {

/// Returns whether matmuls are to run in a recipe, which --recipe or the file of --policy names.
bool runs_in_recipe(const RunOptions& options);

/// Throws UsageError for an unknown --recipe, and for a recipe that conflicts with the other options.
void check_recipe(const RunOptions& options);

/// Reads the file of --policy, if given. Throws UsageError if it is invalid, names an op that the program's LibTorch
/// lacks, or has no effect in any run. Ops with a namespace are accepted, since the program may register them.
void check_policy(const RunOptions& options, const Program& program, const Installation& installation);

}  // namespace ampprof::cli

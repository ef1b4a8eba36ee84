// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"

namespace ampprof::cli {

/// Runs the program once per level and repeat and records it; returns the exit code of `ampprof run`. Throws UsageError
/// for what can be known to be wrong before the program starts.
int launch(const RunOptions& options, const Installation& installation);

}  // namespace ampprof::cli

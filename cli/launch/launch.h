// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/program/installation.h"
#include "cli/launch/program/options.h"

namespace ampprof::cli {

/// Runs the program once per level and repeat and records it. Returns the exit code of `ampprof run`. Throws UsageError
/// for errors that are known before the program starts.
int launch(const RunOptions& options, const Installation& installation);

}  // namespace ampprof::cli

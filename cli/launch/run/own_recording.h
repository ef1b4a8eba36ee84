// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/run/environment.h"

/// Serves a recording that a running program begins and ends itself (profiler/preload/own_recording.cpp): creates the
/// report, returns the recorder's options, and completes the report.
namespace ampprof::cli {

/// Creates the report, with a run for the parent process of this one. `torch` is the parent's LibTorch version, "" if
/// unknown. Returns the variables for the parent's recorder. Throws UsageError.
Environment begin_own_recording(const RunOptions& options, const std::string& torch, const Installation& installation);

/// Completes the run of begin_own_recording(), which the environment identifies. Returns the exit code. Prints a
/// sentence on stderr if nothing was recorded. Throws UsageError and ReportError.
int end_own_recording(int exit_code);

}  // namespace ampprof::cli

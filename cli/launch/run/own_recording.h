// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/run/environment.h"

/// The part of the command line in a recording that a running program begins and ends itself
/// (profiler/preload/own_recording.cpp): it makes the report, says what the recorder is to do, and completes the
/// report.
namespace ampprof::cli {

/// Makes the report, and a run in it for the program that started this process and has that LibTorch ("" where it is
/// not known). Returns what that program tells its recorder. Throws UsageError.
Environment begin_own_recording(const RunOptions& options, const std::string& torch, const Installation& installation);

/// Completes the run that the environment speaks of, which is begin_own_recording()'s. Returns the exit code, after a
/// sentence on stderr where nothing was recorded. Throws UsageError and ReportError.
int end_own_recording(int exit_code);

}  // namespace ampprof::cli

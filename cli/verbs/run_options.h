// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/launch/program/options.h"
#include "cli/verbs/verb.h"

namespace ampprof::cli {

/// Reads what `ampprof run` is asked to do; empty where it has printed its help instead. Throws UsageError.
std::optional<RunOptions> run_options_from(const Arguments& arguments);

/// Reads what a program asks for that begins a recording of itself: those of the options of `ampprof run` that say what
/// to record, and none that say what to run. Throws UsageError.
std::optional<RunOptions> own_recording_options_from(const Arguments& arguments);

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/launch/program/options.h"
#include "cli/verbs/verb.h"

namespace ampprof::cli {

/// Parses the options of `ampprof run`; empty if it has printed its help instead. Throws UsageError.
std::optional<RunOptions> run_options_from(const Arguments& arguments);

/// Parses the options of a program that begins a recording itself: options of `ampprof run` about what to record, none
/// about what to run. Throws UsageError.
std::optional<RunOptions> own_recording_options_from(const Arguments& arguments);

}  // namespace ampprof::cli

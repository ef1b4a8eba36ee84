// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/launch/program/options.h"
#include "cli/verbs/verb.h"

namespace ampprof::cli {

/// Parses the options of `ampprof run`; empty after printing requested help. Throws UsageError.
std::optional<RunOptions> run_options_from(const Arguments& arguments);

/// Parses the options of a program that begins a recording itself: the options of `ampprof run` except those that
/// configure the start of a program. Throws UsageError.
std::optional<RunOptions> own_recording_options_from(const Arguments& arguments);

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/launch/options.h"
#include "cli/verbs/verb.h"

namespace ampprof::cli {

/// Reads what `ampprof run` is asked to do; empty where it has printed its help instead. Throws UsageError.
std::optional<RunOptions> run_options_from(const Arguments& arguments);

}  // namespace ampprof::cli

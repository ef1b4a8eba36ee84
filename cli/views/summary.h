// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "cli/views/answer.h"
#include "cli/views/format.h"

namespace ampprof::cli {

/// The page that `ampprof show REPORT` prints: first the answer, then the evidence, at most about 60 lines.
/// JSON is one object: answer, runs, top_ops, first_to_diverge, events, tensor_cores, missing. CSV holds one table, so
/// it is the runs.
std::string summary(const std::filesystem::path& report, const Findings& findings, const Targets& targets,
                    Format format, const Terminal& terminal);

}  // namespace ampprof::cli

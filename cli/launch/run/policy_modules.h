// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/queries/report.h"

namespace amp {
struct Policy;
}

namespace ampprof::cli {

/// Returns the paths of all modules that ops of a report's runs were called in, each once.
std::vector<std::string> module_paths(const queries::Report& report);

/// Returns a sentence for each module of a policy's rules that none of these paths is, or is inside of: its rule did
/// nothing.
std::vector<std::string> unmatched_modules(const amp::Policy& policy, const std::vector<std::string>& paths);

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/queries/report.h"

namespace amp {
struct Policy;
}

namespace ampprof::cli {

/// Returns the paths of all modules in which a report's runs called ops, each once.
std::vector<std::string> module_paths(const queries::Report& report);

/// Returns a sentence for each module pattern of a policy that matches none of these paths or their parents. The rule
/// of such a pattern had no effect.
std::vector<std::string> unmatched_modules(const amp::Policy& policy, const std::vector<std::string>& paths);

}  // namespace ampprof::cli

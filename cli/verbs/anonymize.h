// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/verbs/flags.h"
#include "reports/merge/merge.h"

namespace ampprof::cli {

/// Adds --anonymize and --anonymize=names. `said` receives the value; it stays "" without the flag.
CLI::Option* add_anonymize(CLI::App& app, std::string& said);

/// Returns the filter for the value of --anonymize; null for "". Throws UsageError for an unknown value.
merge::TextFilter filter_of_anonymize(const std::string& said);

}  // namespace ampprof::cli

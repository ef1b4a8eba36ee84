// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/verbs/flags.h"
#include "reports/merge/merge.h"

namespace ampprof::cli {

/// --anonymize and --anonymize=names; `said` is "" without the flag.
CLI::Option* add_anonymize(CLI::App& app, std::string& said);

/// Null if nothing is to be removed. Throws UsageError for an unknown word.
merge::TextFilter filter_of_anonymize(const std::string& said);

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/verbs/flags.h"
#include "reports/merge/merge.h"

namespace ampprof::cli {

/// --anonymize and --anonymize=names; `said` is "" where it is not given.
CLI::Option* add_anonymize(CLI::App& app, std::string& said);

/// Null where nothing is to be left out. Throws UsageError for a word that means nothing.
merge::TextFilter filter_of_anonymize(const std::string& said);

}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/ops/group.h"

namespace ampprof::views {

/// Returns the words that --group-by takes.
const std::vector<std::string>& group_names();

/// Throws UsageError for a word that is not one of group_names().
analysis::GroupBy group_by_from(const std::string& word);

}  // namespace ampprof::views

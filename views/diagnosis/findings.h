// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "views/table/sentence.h"
#include "views/table/view.h"

namespace ampprof::analysis {
struct Finding;
}

namespace ampprof::views {

/// Largest number of findings in the summary; `show findings` has all.
inline constexpr std::size_t kFindingsSaid = 5;

/// Returns findings and remedies, two sentences each, the costliest first; at most kFindingsSaid findings.
std::vector<Sentence> sentences_of(const std::vector<analysis::Finding>& findings);

View findings_view(const std::vector<analysis::Finding>& findings);

Json to_json(const analysis::Finding& finding);

}  // namespace ampprof::views

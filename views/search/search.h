// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/search/search.h"
#include "views/table/format.h"

namespace ampprof::views {

/// "halves"
std::string_view name_of(search::Stage stage);

/// Returns the lines of a policy that a set stands for.
std::vector<std::string> policy_lines(const search::Question& question, const search::Set& set);

/// Returns the sets that were run, or are being run, one a row.
View search_view(const search::Result& result);

/// Says in sentences what was found, how sure that is, and what is left open.
std::vector<std::string> search_sentences(const search::Result& result);

/// Returns what `ampprof search` prints: a sentence, the policy, the sets, how sure it is and what is left open.
std::string formatted(const search::Result& result, Format format, const text::Terminal& terminal);

/// Returns an object: policy, minimal, open, finished, metric, higher_is_better, tolerance, error_probability, tested,
/// candidates, evaluations.
Json to_json(const search::Result& result);

}  // namespace ampprof::views

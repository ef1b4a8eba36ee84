// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/search/search.h"
#include "views/table/format.h"

namespace ampprof::views {

/// Returns the word for a stage in JSON and tables, such as "halves".
std::string_view name_of(search::Stage stage);

/// Returns the policy lines that keep the candidates of a set in high precision.
std::vector<std::string> policy_lines(const search::SearchProblem& question, const search::Set& set);

/// Returns the sets that have finished or running runs, one per row.
View search_view(const search::Result& result);

/// Returns sentences: the result, how sure the result is, and open questions.
std::vector<std::string> search_sentences(const search::Result& result);

/// Returns the output of `ampprof search`: a sentence, the policy, the sets, and how sure the result is.
std::string formatted(const search::Result& result, Format format, const text::Terminal& terminal);

/// Returns the JSON object: policy, minimal, open, finished, metric, higher_is_better, tolerance, error_probability,
/// tested, candidates, evaluations.
Json to_json(const search::Result& result);

}  // namespace ampprof::views

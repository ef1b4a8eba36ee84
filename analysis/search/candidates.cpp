// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/candidates.h"

#include <algorithm>
#include <set>
#include <utility>

#include "amp_core/policy/cast_rule.h"
#include "precision/advice/advise.h"
#include "precision/advice/grouping.h"

namespace ampprof::search {
namespace {

using Places = advice::PolicyEvaluation::Places;

/// Returns the indices of all functions of an evaluation: ranked functions in the order of advice, then the others by
/// local error, since their loss impact is unknown.
Places in_order_of_evidence(const std::vector<advice::FunctionInModule>& functions,
                            const std::vector<advice::Ranked>& ranking) {
  const auto rank_of = [&](std::size_t place) {
    const auto found = std::ranges::find_if(ranking, [&](const advice::Ranked& ranked) {
      return ranked.op == functions[place].function && ranked.module == functions[place].module;
    });
    return std::pair(found - ranking.begin(), -advice::local_error_of(functions[place]));
  };
  Places places;
  for (std::size_t place = 0; place < functions.size(); ++place) places.push_back(place);
  std::ranges::stable_sort(places, {}, rank_of);
  return places;
}

struct LineOfPolicy {
  std::string text;
  Places reaches;
};

/// Returns the policy lines for one function; empty if they would also select functions that cannot be registered.
std::vector<LineOfPolicy> lines_for(const std::vector<advice::FunctionInModule>& functions, std::size_t place) {
  std::vector<LineOfPolicy> lines;
  std::vector<std::string> ignored;
  for (const advice::FloatRule& rule : advice::grouped(functions, {place}, ignored)) {
    lines.push_back({amp::to_text(amp::CastRule{rule.op, amp::CastPolicy::Fp32, rule.module}), rule.covers});
  }
  return lines;
}

}  // namespace

Candidates candidates_of(const advice::PolicyEvaluation& evaluation) {
  const auto& functions = evaluation.candidates();
  const advice::Advice nothing = evaluation.advice({});
  Places places = in_order_of_evidence(functions, nothing.ranking);
  const Places proposed = advice::proposed(evaluation);
  const auto is_proposed = [&](std::size_t place) { return std::ranges::find(proposed, place) != proposed.end(); };
  std::stable_partition(places.begin(), places.end(), is_proposed);
  Candidates candidates{.all = {}, .basis = nothing.basis};
  for (const std::size_t place : places) {
    if (!functions[place].cannot.empty()) continue;
    for (const LineOfPolicy& line : lines_for(functions, place)) {
      const Candidate candidate{.line = line.text,
                                .because = functions[place].reasons.empty() ? "" : functions[place].reasons.front()};
      const auto same = std::ranges::find(candidates.all, candidate.line, &Candidate::line);
      if (same != candidates.all.end()) continue;
      candidates.all.push_back(candidate);
      if (is_proposed(place)) candidates.advised = candidates.all.size();
    }
  }
  return candidates;
}

void propose(Candidates& candidates, std::span<const std::string> lines) {
  const auto rest = std::stable_partition(
      candidates.all.begin(), candidates.all.end(),
      [&](const Candidate& candidate) { return std::ranges::find(lines, candidate.line) != lines.end(); });
  const auto proposed = static_cast<std::size_t>(rest - candidates.all.begin());
  if (proposed > 0) candidates.advised = proposed;
}

Places places_of(const advice::PolicyEvaluation& evaluation, std::span<const std::string> lines) {
  const auto& functions = evaluation.candidates();
  std::set<std::size_t> reached;
  for (std::size_t place = 0; place < functions.size(); ++place) {
    if (!functions[place].cannot.empty()) continue;
    for (const LineOfPolicy& line : lines_for(functions, place)) {
      if (std::ranges::find(lines, line.text) != lines.end()) reached.insert(line.reaches.begin(), line.reaches.end());
    }
  }
  return {reached.begin(), reached.end()};
}

}  // namespace ampprof::search

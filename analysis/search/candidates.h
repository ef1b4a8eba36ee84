// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "precision/advice/policy_evaluation.h"
#include "reports/records/loss_impact.h"

namespace ampprof::search {

/// A unit that can be kept in high precision: one line of a policy file.
struct Candidate {
  std::string line;     ///< such as "linear fp32 in decoder.head"
  std::string because;  ///< reason, a sentence; "" if unknown

  bool operator==(const Candidate&) const = default;
};

/// Candidates in search order: those that advice proposes, then the others. Each part is ordered by overflows, then by
/// loss impact.
struct Candidates {
  std::vector<Candidate> all;
  std::size_t advised = 0;                                        ///< number of proposed candidates, which come first
  advice::RankingBasis basis = advice::RankingBasis::LossImpact;  ///< basis of their order
  std::string unit = "function";                                  ///< noun for one candidate
};

/// Returns a candidate for each function of each module that a policy line can select without selecting functions that
/// cannot be registered.
Candidates candidates_of(const advice::PolicyEvaluation& evaluation);

/// Proposes the candidates with these lines instead of those that advice proposes. Does nothing if none of the lines is
/// a candidate.
void propose(Candidates& candidates, std::span<const std::string> lines);

/// Returns the functions of an evaluation that lines of candidates select, ascending.
advice::PolicyEvaluation::Places places_of(const advice::PolicyEvaluation& evaluation,
                                           std::span<const std::string> lines);

}  // namespace ampprof::search

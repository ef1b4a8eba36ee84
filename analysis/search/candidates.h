// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "precision/advice/policy_evaluation.h"
#include "reports/records/loss_impact.h"

namespace ampprof::search {

/// Something that can be kept in high precision: one line of a policy file, whatever it says.
struct Candidate {
  std::string line;     ///< "linear fp32 in decoder.head"
  std::string because;  ///< why it may matter, a sentence; "" where nothing is known

  bool operator==(const Candidate&) const = default;
};

/// Candidates in the order of a search: those that advice proposes, then the others, each by what overflows and by what
/// it does to the loss.
struct Candidates {
  std::vector<Candidate> all;
  std::size_t advised = 0;  ///< the first so many are proposed
  advice::RankingBasis basis = advice::RankingBasis::LossImpact;  ///< of their order
  std::string unit = "function";                                  ///< what one of them is about
};

/// Returns a candidate for each function of each module that a policy line reaches without reaching what cannot be
/// registered.
Candidates candidates_of(const advice::PolicyEvaluation& evaluation);

/// Makes the candidates of these lines the ones that are proposed, in place of those that advice proposes. Nothing
/// happens where none of the lines is a candidate.
void propose(Candidates& candidates, std::span<const std::string> lines);

/// Returns the functions of an evaluation that lines of candidates reach, ascending.
advice::PolicyEvaluation::Places places_of(const advice::PolicyEvaluation& evaluation,
                                           std::span<const std::string> lines);

}  // namespace ampprof::search

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "precision/advice/advise.h"
#include "precision/advice/candidates.h"
#include "precision/advice/fp32_cost.h"
#include "precision/advice/grouping.h"
#include "precision/advice/run_facts.h"

namespace ampprof::advice {

/// Predicts the effect of any choice of functions to register as FP32, for advise() and for a user's choice. Refers to
/// the evidence, which must outlive this object. Candidates are identified by their index in candidates().
class PolicyEvaluation {
 public:
  using Places = std::vector<std::size_t>;

  explicit PolicyEvaluation(const Evidence& evidence, const Options& options = {});

  const RunFacts& run() const { return run_; }
  const Options& options() const { return options_; }
  const std::vector<FunctionInModule>& candidates() const { return candidates_; }
  const Fp32Cost& fp32_cost() const { return fp32_cost_; }
  /// Effects that no registration removes: rounding of parameters and of the input, and ops that a policy cannot name.
  const Effects& rest() const { return rest_; }

  /// Returns the candidate that has this row of the evidence's ops in its forward or backward; empty if there is none.
  std::optional<std::size_t> candidate_of(const queries::OpRow& op) const;

  /// Predicts the effect of registering the candidates `chosen`, which may be in any order. Policy, cost and impact
  /// include every candidate that the lines of the policy reach. The notes name candidates that no line can reach.
  Advice advice(Places chosen) const;

  /// Returns the predicted change of the loss that remains after registering these candidates.
  double impact_without(const Places& taken) const;

 private:
  void write_ranking();
  Registration registration_of(const FloatRule& rule) const;

  RunFacts run_;
  Options options_;
  std::vector<FunctionInModule> candidates_;
  std::map<const queries::OpRow*, std::size_t> candidate_of_;
  Effects rest_;
  Fp32Cost fp32_cost_;
  Advice nothing_ = {};  ///< the advice before anything is chosen
};

/// Returns the larger magnitude of a run's first and last loss; 0 if neither is finite.
double largest_loss(const std::optional<double>& initial, const std::optional<double>& final);

/// Returns the largest finite relative error of a candidate's forward call sites.
double local_error_of(const FunctionInModule& candidate);

}  // namespace ampprof::advice

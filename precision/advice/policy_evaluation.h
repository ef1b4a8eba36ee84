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

/// Predicts what any choice of functions to register as FP32 would do: advise() takes its own, a user takes another.
/// Refers to the evidence, which must outlive it. A candidate is known by its place in candidates().
class PolicyEvaluation {
 public:
  using Places = std::vector<std::size_t>;

  explicit PolicyEvaluation(const Evidence& evidence, const Options& options = {});

  const RunFacts& run() const { return run_; }
  const Options& options() const { return options_; }
  const std::vector<FunctionInModule>& candidates() const { return candidates_; }
  const Fp32Cost& fp32_cost() const { return fp32_cost_; }
  /// Effects that no registration reaches: roundings of parameters and of the input, ops that nobody can name.
  const Effects& rest() const { return rest_; }

  /// The candidate that a row of the evidence's ops belongs to, as its forward or its backward; empty where there is
  /// none.
  std::optional<std::size_t> candidate_of(const queries::OpRow& op) const;

  /// Predicts what registering these would do, in any order. Policy, cost and impact count all that its lines reach;
  /// what no line can reach is named in its notes.
  Advice advice(Places chosen) const;

  /// The predicted change of the loss that is left by these.
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
  Advice nothing_ = {};  ///< what is known before anything is chosen
};

/// The larger of a run's first and last loss, by size; 0 where neither is finite.
double largest_loss(const std::optional<double>& initial, const std::optional<double>& final);

/// The largest relative error of a candidate's forward call sites among those that are finite.
double local_error_of(const FunctionInModule& candidate);

}  // namespace ampprof::advice

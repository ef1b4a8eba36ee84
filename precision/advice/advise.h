// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "amp_core/policy/policy.h"
#include "precision/advice/overflow_origins.h"
#include "reports/records/loss_impact.h"

namespace ampprof::advice {

class PolicyEvaluation;
struct Evidence;

struct Options {
  double target_share = 0.1;             ///< largest share of the predicted loss impact that may remain
  std::optional<double> tolerance = {};  ///< loss impact that may always remain; default: a thousandth of the loss
};

/// Measure by which the functions are ranked.
enum class RankingBasis { LossImpact, LocalError };

/// One function to register as FP32, everywhere or in one module and its submodules.
struct Registration {
  std::string op;
  std::string module;
  std::string because = {};                  ///< sentence with numbers: reason for the registration
  std::optional<double> loss_impact = {};    ///< mean signed change of the loss that the registration removes
  std::int64_t overflows = 0;                ///< overflow events that began in this function
  std::optional<double> cost_us = {};        ///< extra time per step in FP32; negative if FP32 is faster
  std::int64_t cast_bytes = 0;               ///< extra bytes per step that casts write
  std::vector<std::string> call_sites = {};  ///< forward call sites that the registration reaches
  std::vector<std::string> sources = {};     ///< known source lines of `call_sites`, each once
};

/// One function in one module, with its effect on the loss (or its local error).
struct Ranked {
  std::string op;
  std::string module;
  double weight = 0.0;  ///< root mean square loss impact, or relative error if ranked by local error
  double share = 0.0;   ///< share of the predicted squared impact; 0 if ranked by local error
  bool overflows = false;
};

/// Advice on the functions to register as FP32.
struct Advice {
  RankingBasis basis = RankingBasis::LossImpact;
  std::vector<Registration> policy = {};     ///< mandatory registrations first, then by importance
  std::optional<double> impact_before = {};  ///< predicted root mean square change of the loss (predicted_impact())
  std::optional<double> impact_after = {};   ///< predicted root mean square change of the loss with the policy
  std::optional<double> cost_us = {};        ///< extra time per step; empty if the cost of one registration is unknown
  double tolerance = 0.0;
  /// Probability that every function in the policy changes the loss more than every other function, estimated from the
  /// scatter over the recorded steps. Empty if the policy registers all functions or none, or if no impact was
  /// measured.
  std::optional<double> certainty = {};
  std::vector<Ranked> ranking = {};     ///< all functions: overflowing ones first, then by decreasing weight
  std::vector<std::string> notes = {};  ///< sentences: problems that the policy cannot solve, missing data
  std::vector<NotRepaired> not_repaired = {};  ///< not in `notes`: a finding may report the same call site
};

/// Finds the smallest set of functions and modules to register as FP32 so that nothing overflows and the predicted loss
/// impact falls to the target share or to the tolerance. README.md defines the set and the search.
Advice advise(const Evidence& evidence, const Options& options = {});

/// Returns the candidates that advise() registers, as ascending indices into PolicyEvaluation::candidates().
std::vector<std::size_t> proposed(const PolicyEvaluation& evaluation);

/// Returns `notes`, followed by the notes in `not_repaired`.
std::vector<std::string> all_notes(const Advice& advice);

/// Returns the policy to write into a file.
amp::Policy policy_of(const Advice& advice);

}  // namespace ampprof::advice

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
  double target_share = 0.1;             ///< of the predicted loss impact may remain
  std::optional<double> tolerance = {};  ///< impact that is small enough to leave alone; else a thousandth of the loss
};

/// Says which figure ranks the functions.
enum class RankingBasis { LossImpact, LocalError };

/// One function to register as FP32, everywhere or in one module and its submodules.
struct Registration {
  std::string op;
  std::string module;
  std::string because = {};                  ///< a sentence with numbers
  std::optional<double> loss_impact = {};    ///< mean signed change of the loss that it removes
  std::int64_t overflows = 0;                ///< overflow events that began there
  std::optional<double> cost_us = {};        ///< extra time per step in FP32; negative where FP32 is faster
  std::int64_t cast_bytes = 0;               ///< extra bytes per step that casts write
  std::vector<std::string> call_sites = {};  ///< forward call sites that it reaches
  std::vector<std::string> sources = {};     ///< their known source lines, each once
};

/// A function as one module calls it, with its effect on the loss (or its local error).
struct Ranked {
  std::string op;
  std::string module;
  double weight = 0.0;  ///< root mean square impact, or relative error
  double share = 0.0;   ///< of the predicted impact (in squares); 0 when ranked by local error
  bool overflows = false;
};

/// Advises which functions to register as FP32.
struct Advice {
  RankingBasis basis = RankingBasis::LossImpact;
  std::vector<Registration> policy = {};     ///< the mandatory ones first, then by importance
  std::optional<double> impact_before = {};  ///< predicted root mean square change of the loss (predicted_impact())
  std::optional<double> impact_after = {};   ///< the same with the policy
  std::optional<double> cost_us = {};        ///< per step; empty where one registration has no cost
  double tolerance = 0.0;
  /// Probability that no other function matters more than one of the policy, judged by the recorded steps. Empty where
  /// the policy registers all or nothing, or where no impact was measured.
  std::optional<double> certainty = {};
  std::vector<Ranked> ranking = {};     ///< all functions, the worst first; those that overflow come before all others
  std::vector<std::string> notes = {};  ///< sentences about what the policy cannot help or what is unknown
  std::vector<NotHeld> not_held = {};   ///< not among the notes: a finding may say the same
};

/// Finds the smallest set of functions and modules to register as FP32 so that nothing overflows and the predicted loss
/// impact falls to the target share or to the tolerance. README.md defines the set and the search.
Advice advise(const Evidence& evidence, const Options& options = {});

/// Returns the candidates that advise() registers, ascending, as places in PolicyEvaluation::candidates().
std::vector<std::size_t> proposed(const PolicyEvaluation& evaluation);

/// Returns the notes, then those about call sites whose result FP32 does not hold.
std::vector<std::string> all_notes(const Advice& advice);

/// Returns the policy to write into a file.
amp::Policy policy_of(const Advice& advice);

}  // namespace ampprof::advice

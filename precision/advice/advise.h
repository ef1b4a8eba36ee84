// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "amp_core/policy/policy.h"
#include "reports/records/loss_impact.h"

namespace ampprof::advice {

class PolicyEvaluation;
struct Evidence;

struct Options {
  double target_share = 0.1;             ///< of the predicted loss impact may remain
  std::optional<double> tolerance = {};  ///< an impact that needs nothing done; else a thousandth of the loss
};

/// Says what the ranking of functions rests on.
enum class RankingBasis { LossImpact, LocalError };

/// One function to register as FP32, everywhere or in one module and all inside it.
struct Registration {
  std::string op;
  std::string module;
  std::string because = {};                  ///< a sentence with numbers
  std::optional<double> loss_impact = {};    ///< mean signed change of the loss that it removes
  std::int64_t overflows = 0;                ///< overflow events that began there
  std::optional<double> cost_us = {};        ///< time a step that FP32 takes more; less than 0 where it is faster
  std::int64_t cast_bytes = 0;               ///< bytes a step that casts write more
  std::vector<std::string> call_sites = {};  ///< forward ones that it reaches
  std::vector<std::string> sources = {};     ///< the lines of these that are known, each once
};

/// A function as one module calls it, by what it does to the loss (or its local error).
struct Ranked {
  std::string op;
  std::string module;
  double weight = 0.0;  ///< root mean square impact, or relative error
  double share = 0.0;   ///< of the predicted impact (in squares); 0 by local error
  bool overflows = false;
};

/// Which functions to register as FP32.
struct Advice {
  RankingBasis basis = RankingBasis::LossImpact;
  std::vector<Registration> policy = {};     ///< what must be, then what matters most, first
  std::optional<double> impact_before = {};  ///< predicted root mean square change of the loss (predicted_impact())
  std::optional<double> impact_after = {};   ///< with the policy
  std::optional<double> cost_us = {};        ///< a step; empty where a registration's is
  double tolerance = 0.0;
  /// Probability that no other function matters more than one of the policy, as far as the recorded steps tell; empty
  /// where that cannot be asked: all or nothing is registered, or no impact was measured.
  std::optional<double> certainty = {};
  std::vector<Ranked> ranking = {};     ///< all, the worst first; those that overflow before all others
  std::vector<std::string> notes = {};  ///< sentences about what the policy cannot help, or does not know
};

/// The smallest set of functions and modules to register as FP32 so that nothing overflows and at most a target share
/// of the predicted loss impact remains, or as little as the tolerance. README.md says what that means and how it is
/// found.
Advice advise(const Evidence& evidence, const Options& options = {});

/// The candidates that advise() registers, ascending: places in PolicyEvaluation::candidates().
std::vector<std::size_t> proposed(const PolicyEvaluation& evaluation);

/// The policy to write into a file.
amp::Policy policy_of(const Advice& advice);

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// One line of a policy: a function, in all modules or in those that a pattern matches.
struct FloatRule {
  std::string op;                   ///< function name as written in the policy
  std::string module;               ///< pattern; "" for all modules
  std::vector<std::size_t> covers;  ///< indices of all candidates that the line reaches, chosen or not

  bool operator==(const FloatRule&) const = default;
};

/// Covers the chosen candidates (indices into `candidates`, ascending) with few lines, in the order of `chosen`. A line
/// names a function without a module if all candidates of the function are chosen, if there are at least four and three
/// quarters of them are chosen, or if one candidate is outside all modules, where no pattern matches. Otherwise the
/// line has a pattern with `*` that matches only chosen candidates, else one line per candidate. A line that would
/// reach a candidate that cannot be registered is left out, with a sentence in `notes`.
std::vector<FloatRule> grouped(const std::vector<FunctionInModule>& candidates, const std::vector<std::size_t>& chosen,
                               std::vector<std::string>& notes);

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// One line of a policy: a function, everywhere or in the modules that a pattern matches.
struct FloatRule {
  std::string op;                   ///< the name that the policy writes
  std::string module;               ///< pattern; "" everywhere
  std::vector<std::size_t> covers;  ///< the candidates that it reaches, including ones that were not chosen

  bool operator==(const FloatRule&) const = default;
};

/// Covers the chosen candidates (places in `candidates`, ascending) with few lines, in the order of the chosen. It
/// names a function as a whole if all its candidates are chosen, if three quarters of at least four are, or if one is
/// outside all modules, where no pattern reaches. Else it uses a pattern with `*` that matches only chosen candidates,
/// else one line per candidate. A line must not reach a candidate that cannot be registered: such a line is left out
/// and named in `notes`.
std::vector<FloatRule> grouped(const std::vector<FunctionInModule>& candidates, const std::vector<std::size_t>& chosen,
                               std::vector<std::string>& notes);

}  // namespace ampprof::advice

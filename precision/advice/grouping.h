// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "precision/advice/candidates.h"

namespace ampprof::advice {

/// One line of a policy: a function, everywhere or in the modules that a pattern matches.
struct FloatRule {
  std::string op;                   ///< as a policy writes it
  std::string module;               ///< pattern; "" everywhere
  std::vector<std::size_t> covers;  ///< the candidates that it reaches, those that nobody asked for included

  bool operator==(const FloatRule&) const = default;
};

/// Fewer lines for the chosen candidates (places in `candidates`, ascending): a function as a whole where all of its
/// candidates are chosen, where three quarters of at least four are, or where one is outside all modules, which no
/// pattern can name; else a pattern with `*` where it matches chosen candidates alone; else one line a candidate. In
/// the order of the chosen. A line must not reach a candidate that cannot be registered; what would is left out and
/// named in `notes`.
std::vector<FloatRule> grouped(const std::vector<FunctionInModule>& candidates, const std::vector<std::size_t>& chosen,
                               std::vector<std::string>& notes);

}  // namespace ampprof::advice

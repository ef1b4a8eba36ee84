// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "profiler/loss/loss_factor.h"

namespace ampprof::profiler {

/// Guesses which value of a chain is the program's loss if no factor is known to be a loss scale: the value that the
/// program reads (`loss.item()`). A read at a site decides for all chains with this site. Not thread-safe.
class ReadValues {
 public:
  void operand_read(LossSite site) { operands_.insert(site); }
  void product_read(LossSite site) { products_.insert(site); }

  /// Returns the number (see LossChain) of the first value that the program has read, counted from the root; empty if
  /// it has read none.
  std::optional<std::size_t> first_in(const LossChain& chain) const {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (products_.contains(chain[i].site)) return i;
      if (operands_.contains(chain[i].site)) return i + 1;
    }
    return std::nullopt;
  }

 private:
  std::set<LossSite> operands_;
  std::set<LossSite> products_;
};

}  // namespace ampprof::profiler

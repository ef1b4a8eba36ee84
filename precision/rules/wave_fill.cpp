// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "precision/rules/rule.h"
#include "precision/rules/tiling.h"

namespace ampprof::rules {
namespace {

constexpr double kWellFilled = 0.75;

// Checks for idle multiprocessors in the last wave, which may be the only one.
std::optional<Finding> check(const Matmul& matmul, const RuleConditions& demand) {
  if (demand.age != RuleAge::Today) return std::nullopt;
  const auto tiling = tiling_of(matmul, demand.dtype, demand.device);
  if (!tiling || !tiling->tail_share || 1 - *tiling->tail_share >= kWellFilled) return std::nullopt;
  const auto waves = std::lround(std::ceil(*tiling->waves));
  return Finding{.reason = "About " + percent(*tiling->tail_share) + " of the multiprocessors are idle in the " +
                           (waves == 1 ? "only wave" : "last of " + std::to_string(waves) + " waves") + " of tiles."};
}

}  // namespace

Rule wave_fill() { return {"wave_fill", "the tiles of a matmul keep all multiprocessors busy", check}; }

}  // namespace ampprof::rules

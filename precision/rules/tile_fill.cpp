// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/rule.h"
#include "precision/rules/tiling.h"

namespace ampprof::rules {
namespace {

constexpr double kWellFilled = 0.75;

std::optional<Finding> check(const Matmul& matmul, const RuleConditions& demand) {
  if (demand.age != RuleAge::Today) return std::nullopt;
  const auto tiling = tiling_of(matmul, demand.dtype, demand.device);
  if (!tiling || tiling->tile_fill >= kWellFilled) return std::nullopt;
  return Finding{.reason = "The result fills about " + percent(tiling->tile_fill) + " of its tiles of " +
                           std::to_string(tiling->tile_rows) + "x" + std::to_string(tiling->tile_columns) + "."};
}

}  // namespace

Rule tile_fill() { return {"tile_fill", "the result of a matmul fills its tiles", check}; }

}  // namespace ampprof::rules

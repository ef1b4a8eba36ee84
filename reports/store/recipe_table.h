// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "reports/records/recipe_matmul.h"
#include "reports/store/table.h"

/// The table of recipes' effects on matmuls, which has the columns of an operand twice.
namespace ampprof::store {

template <>
inline constexpr LastEnumerator<Matmul> kLast<Matmul>{Matmul::Wgrad, "a recipe has the unknown matmul"};

/// A part with a prefix before its column names.
template <class Access, class... Columns>
struct PrefixedPart : Part<Access, Columns...> {
  std::string_view prefix;

  template <class Visit>
  void each(std::string_view before, const Visit& visit) const {
    Part<Access, Columns...>::each(std::string(before) + std::string(prefix), visit);
  }
};

inline constexpr auto operand_columns(std::string_view prefix, OperandLoss RecipeMatmul::*operand) {
  const std::tuple columns{column("count", &OperandLoss::count),
                           column("nonfinite", &OperandLoss::nonfinite),
                           column("flushed", &OperandLoss::flushed),
                           column("saturated", &OperandLoss::saturated),
                           column("amax", &OperandLoss::amax),
                           column("sum_sq", &OperandLoss::sum_sq),
                           column("sum_sq_error", &OperandLoss::sum_sq_error)};
  return [&]<class... Columns>(const std::tuple<Columns...>& all) {
    return PrefixedPart<OperandLoss RecipeMatmul::*, Columns...>{{operand, all}, prefix};
  }(columns);
}

inline constexpr auto kRecipeMatmul = table<RecipeMatmul>(
    "recipe_matmul", keys("run"),
    std::tuple{column("segment", &RecipeMatmul::segment), column("recipe", &RecipeMatmul::recipe),
               column("call_site", &RecipeMatmul::call_site), column("matmul", &RecipeMatmul::matmul),
               column("computed_by", &RecipeMatmul::computed_by), column("is_quantized", &RecipeMatmul::is_quantized),
               column("has_hardware", &RecipeMatmul::has_hardware), column("reason", &RecipeMatmul::reason),
               column("weight_rows", &RecipeMatmul::rows), column("weight_columns", &RecipeMatmul::columns),
               column("leading", &RecipeMatmul::leading), column("groups", &RecipeMatmul::groups),
               column("calls", &RecipeMatmul::calls), operand_columns("first_", &RecipeMatmul::first),
               operand_columns("second_", &RecipeMatmul::second), column("sum_sq_error", &RecipeMatmul::sum_sq_error),
               column("sum_sq_exact", &RecipeMatmul::sum_sq_exact)});

}  // namespace ampprof::store

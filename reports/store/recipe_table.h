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

/// A Part whose column names have a prefix.
template <class Access, class... Columns>
struct PrefixedPart : Part<Access, Columns...> {
  std::string_view prefix;

  template <class Visit>
  void each(std::string_view before, const Visit& visit) const {
    Part<Access, Columns...>::each(std::string(before) + std::string(prefix), visit);
  }
};

inline constexpr auto operand_columns(std::string_view prefix, OperandRounding RecipeMatmul::*operand) {
  const std::tuple columns{
      column("count", &OperandRounding::count, "Number of elements of the operand."),
      column("nonfinite", &OperandRounding::nonfinite, "Number of the operand's elements that are NaN or inf."),
      column("flushed", &OperandRounding::flushed, "Number of the operand's elements that are flushed to 0."),
      column("saturated", &OperandRounding::saturated, "Number of the operand's elements that saturate."),
      column("amax", &OperandRounding::amax, "Largest magnitude of the operand."),
      column("sum_sq", &OperandRounding::sum_sq, "Sum of squares of the operand."),
      column("sum_sq_error", &OperandRounding::sum_sq_error, "Sum of squares of the operand's quantization error.")};
  return [&]<class... Columns>(const std::tuple<Columns...>& all) {
    return PrefixedPart<OperandRounding RecipeMatmul::*, Columns...>{{operand, all}, prefix};
  }(columns);
}

inline constexpr auto kRecipeMatmul = table<RecipeMatmul>(
    "recipe_matmul", keys("run"),
    std::tuple{column("segment", &RecipeMatmul::segment, "Segment of the forward call."),
               column("recipe", &RecipeMatmul::recipe, "Name of the recipe."),
               column("call_site", &RecipeMatmul::call_site, "Call site of the forward call."),
               column("matmul", &RecipeMatmul::matmul, "Matmul: 1 fprop, 2 dgrad, 3 wgrad."),
               column("computed_by", &RecipeMatmul::computed_by,
                      "Call site that computes the matmul; for dgrad and wgrad a backward call site."),
               column("is_quantized", &RecipeMatmul::is_quantized,
                      "0: the recipe leaves the matmul in high precision; `reason` says why."),
               column("has_hardware", &RecipeMatmul::has_hardware, "0: no current GPU has this matmul in these types."),
               column("reason", &RecipeMatmul::reason, "Sentence that says why `is_quantized` or `has_hardware` is 0."),
               column("weight_rows", &RecipeMatmul::rows, "Rows of the weight."),
               column("weight_columns", &RecipeMatmul::columns, "Columns of the weight."),
               column("leading", &RecipeMatmul::leading, "Product of the leading dimensions of the input."),
               column("groups", &RecipeMatmul::groups, "Number of matrix products in a call."),
               column("calls", &RecipeMatmul::calls, "Number of calls."),
               operand_columns("first_", &RecipeMatmul::first), operand_columns("second_", &RecipeMatmul::second),
               column("sum_sq_error", &RecipeMatmul::sum_sq_error,
                      "Sum of (product - exact product)² over the elements. The exact product is computed from "
                      "unrounded operands."),
               column("sum_sq_exact", &RecipeMatmul::sum_sq_exact,
                      "Sum of squares of the exact product, which is computed from unrounded operands.")});

}  // namespace ampprof::store

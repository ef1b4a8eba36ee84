// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "amp_core/policy/policy.h"
#include "precision/formats/recipes/recipe.h"
#include "reports/records/matmul.h"

namespace amp::recipes {

using ampprof::kMatmuls;
using ampprof::Matmul;
using ampprof::recipes::Recipe;

/// Recipes of the three matmuls of a layer, in the order of kMatmuls; null if the operands are not quantized.
struct Formats {
  std::array<std::shared_ptr<const Recipe>, kMatmuls.size()> of = {};

  const Recipe* operator[](Matmul matmul) const { return of[matmul_index(matmul)].get(); }
  bool has_any() const { return of[0] || of[1] || of[2]; }
};

/// The recipes of a policy, for lookup by call. Immutable.
class Plan {
 public:
  /// Throws Error for an unknown recipe or an unreadable file.
  explicit Plan(const Policy& policy);

  /// Returns the recipes for the matmuls of an operator ("linear") called in this module.
  Formats formats_of(std::string_view op, std::string_view module) const;

 private:
  struct Rule {
    std::vector<std::string> operators = {};  ///< operators of the rule; empty for all
    std::string module = {};                  ///< pattern; "" for all modules
    std::array<bool, kMatmuls.size()> matmuls = {};
    std::shared_ptr<const Recipe> recipe = {};  ///< null if the matmuls stay unquantized
  };

  std::shared_ptr<const Recipe> recipe_of(const std::string& name);
  Rule rule_of(const FormatRule& rule);
  static bool applies(const Rule& rule, std::string_view op, std::string_view module);

  std::map<std::string, std::shared_ptr<const Recipe>> recipes_;
  std::shared_ptr<const Recipe> everywhere_;
  std::vector<Rule> rules_;  ///< lowest priority first
};

/// Returns the names of the recipes in the newest plan of this process, separated by "; "; "" if there is no plan.
/// Thread-safe.
std::string recipes_planned();

/// Throws Error unless `name` is the name of a recipe or the path of a valid recipe file.
void check_format(const std::string& name);

}  // namespace amp::recipes

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/losses/impact_order.h"
#include "analysis/recipes/recipe_times.h"
#include "reports/queries/recipes.h"
#include "reports/records/matmul.h"

namespace ampprof::queries {
struct RunRow;
}

namespace ampprof::gui {

/// A recipe that a run of a report tried.
struct TriedRecipe {
  std::int64_t run = 0;
  std::string recipe;
  std::string label;  ///< the recipe's name, and what else tells it from others of this name

  bool operator==(const TriedRecipe&) const = default;
};

/// A matmul that a rule of a policy can keep in BF16: of an op in a module, at one call site or at several.
struct KeptMatmul {
  std::string module;
  std::string op;
  Matmul matmul = Matmul::Fprop;

  auto operator<=>(const KeptMatmul&) const = default;
};

/// Holds what recipes would do to the matmuls of a program. Nothing changes it, so threads can share it.
class RecipeBoard {
 public:
  RecipeBoard(std::vector<queries::RecipeMatmulRow> rows, std::vector<queries::RunRow> runs,
              analysis::Bf16Times times = {});
  ~RecipeBoard();

  const std::vector<queries::RecipeMatmulRow>& rows() const { return rows_; }
  const std::vector<queries::RunRow>& runs() const { return runs_; }
  /// On the GPU that advice without a name of one is for.
  const analysis::Bf16Times& times() const { return times_; }
  /// In the order of the report.
  const std::vector<TriedRecipe>& recipes() const { return recipes_; }
  std::vector<const queries::RecipeMatmulRow*> rowsOf(const TriedRecipe& recipe) const;
  /// All that any recipe takes and a rule can name, each once: places in it are what marks are.
  const std::vector<KeptMatmul>& candidates() const { return candidates_; }
  /// Empty where no rule can name it.
  std::optional<std::size_t> candidateOf(const queries::RecipeMatmulRow& row) const;

 private:
  std::vector<queries::RecipeMatmulRow> rows_;
  std::vector<queries::RunRow> runs_;
  analysis::Bf16Times times_;
  std::vector<TriedRecipe> recipes_;
  std::vector<KeptMatmul> candidates_;
  std::map<KeptMatmul, std::size_t> places_;
};

/// Reads what recipes would do, of all runs of a report. Throws ReportError with a sentence.
std::shared_ptr<const RecipeBoard> readRecipes(const std::filesystem::path& report);

/// Holds what a recipe does to one matmul of a layer, or of several layers.
struct RecipeCell {
  std::optional<queries::RecipeMatmulRow> row = {};  ///< of several layers what they come to; empty: no such matmul
  std::vector<std::size_t> candidates = {};          ///< that keep it in BF16, each once
  analysis::ImpactRank rank = {};                    ///< among what counts for the same figure
  std::optional<double> tied_size = {};              ///< of the first of those that it cannot be told from
  bool is_screened = false;                          ///< no impact was measured in its run: errors are all there is

  bool isQuantized() const { return row && row->is_quantized; }
  /// Returns the size of its impact; of a screened one, of its error.
  std::optional<double> size() const;
  /// Returns whether that is no accident of a few steps.
  bool isResolved() const;
};

/// A layer, or several that are alike.
struct RecipeLine {
  std::string name;
  std::string call_site = {};  ///< as in OpRow; "" for several
  std::string source = {};
  std::string sizes = {};    ///< "3072 × 768"
  double flops_share = 0.0;  ///< of all multiplications and additions in matmuls
  std::array<std::array<RecipeCell, kMatmuls.size()>, 2> cells = {};  ///< of the chosen recipe, and of the other one
};

struct RecipeGroup {
  RecipeLine line;                     ///< a layer's own where there is but one
  std::vector<RecipeLine> sites = {};  ///< two or more
};

/// Which recipes are looked at; `other` to compare with.
struct RecipeChoice {
  TriedRecipe recipe = {};
  std::optional<TriedRecipe> other = {};
};

/// Layers in the order of the program, those that are alike as one where wanted, as groups by class are elsewhere: of
/// modules with one name up to numbers. Filtered by a regular expression that is found in module or op. Throws
/// UsageError for a wrong one.
std::vector<RecipeGroup> recipeGroups(const RecipeBoard& board, const RecipeChoice& choice, bool alike_as_one,
                                      const std::string& pattern = "");

}  // namespace ampprof::gui

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

/// A recipe that was tried in a run.
struct TriedRecipe {
  std::int64_t run = 0;
  std::string recipe;
  std::string label;  ///< name of the recipe; with a suffix if several runs tried the recipe

  bool operator==(const TriedRecipe&) const = default;
};

/// A matmul that a policy rule can keep in BF16: one matmul of an op in a module, at one or several call sites.
struct KeptMatmul {
  std::string module;
  std::string op;
  Matmul matmul = Matmul::Fprop;

  auto operator<=>(const KeptMatmul&) const = default;
};

/// Predicted effects of recipes on the matmuls of a program. Immutable, so threads can share it.
class RecipeBoard {
 public:
  RecipeBoard(std::vector<queries::RecipeMatmulRow> rows, std::vector<queries::RunRow> runs,
              analysis::Bf16Times times = {});
  ~RecipeBoard();

  const std::vector<queries::RecipeMatmulRow>& rows() const { return rows_; }
  const std::vector<queries::RunRow>& runs() const { return runs_; }
  /// Returns the times of matmuls in BF16, as measured on the GPU for which advice is given by default.
  const analysis::Bf16Times& times() const { return times_; }
  /// Returns the recipes in the order of the report.
  const std::vector<TriedRecipe>& recipes() const { return recipes_; }
  std::vector<const queries::RecipeMatmulRow*> rowsOf(const TriedRecipe& recipe) const;
  /// Returns all matmuls that a recipe quantizes and a rule can select, without duplicates. Marks are indices into this
  /// list.
  const std::vector<KeptMatmul>& candidates() const { return candidates_; }
  /// Returns the index of a row's matmul in candidates(); empty if no rule can select the matmul.
  std::optional<std::size_t> candidateOf(const queries::RecipeMatmulRow& row) const;

 private:
  std::vector<queries::RecipeMatmulRow> rows_;
  std::vector<queries::RunRow> runs_;
  analysis::Bf16Times times_;
  std::vector<TriedRecipe> recipes_;
  std::vector<KeptMatmul> candidates_;
  std::map<KeptMatmul, std::size_t> places_;
};

/// Reads the recipe predictions of all runs of a report. Throws ReportError.
std::shared_ptr<const RecipeBoard> readRecipes(const std::filesystem::path& report);

/// The effect of a recipe on one kind of matmul (fprop, dgrad or wgrad) of a layer, or of several layers.
struct RecipeCell {
  std::optional<queries::RecipeMatmulRow> row = {};  ///< total for several layers; empty if there is no such matmul
  std::vector<std::size_t> candidates = {};          ///< marks that keep the matmul in BF16, each once
  /// Rank among the cells of sibling rows with the same kind of impact.
  analysis::ImpactRank rank = {};
  std::optional<double> tied_size = {};  ///< size of the largest cell in the tie; empty unless tied
  bool is_screened = false;              ///< the run measured only errors, no impacts

  bool isQuantized() const { return row && row->is_quantized; }
  /// Returns the size of the impact; if is_screened, the relative error.
  std::optional<double> size() const;
  /// Tells whether the size is above the noise over steps. True for every E, and if no impact was measured.
  bool isResolved() const;
};

/// A layer, or several similar layers.
struct RecipeLine {
  std::string name;
  std::string call_site = {};  ///< OpRow::call_site; "" for several layers
  std::string source = {};
  std::string sizes = {};    ///< output and input features of the weight: "3072 × 768"
  double flops_share = 0.0;  ///< fraction of all matmul FLOPs
  /// Indexed by side (0: chosen recipe, 1: other recipe), then by matmul_index().
  std::array<std::array<RecipeCell, kMatmuls.size()>, 2> cells = {};
};

struct RecipeGroup {
  RecipeLine line;                     ///< totals of the group; for a single layer, the line of the layer
  std::vector<RecipeLine> sites = {};  ///< layers of the group; empty for a single layer
};

/// The recipe to show, and a second recipe for comparison.
struct RecipeChoice {
  TriedRecipe recipe = {};
  std::optional<TriedRecipe> other = {};
};

/// Returns layers in groups, in program order. `alike_as_one`: groups layers with the same op whose module names are
/// equal except for numbers; else each layer is a group. `pattern` is searched in module and op. Throws UsageError if
/// `pattern` is an invalid regular expression.
std::vector<RecipeGroup> recipeGroups(const RecipeBoard& board, const RecipeChoice& choice, bool alike_as_one,
                                      const std::string& pattern = "");

}  // namespace ampprof::gui

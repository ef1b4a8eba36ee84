// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/recipe_candidates.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "precision/advice/recipes/error_cost.h"
#include "precision/advice/recipes/format_rules.h"
#include "precision/advice/recipes/recipe_advice.h"

namespace ampprof::search {
namespace {

constexpr const char* kHigh = "bf16";  // format of unquantized operands
constexpr double kNotMeasured = std::numeric_limits<double>::infinity();

/// One rounded matmul of a layer.
struct RoundedMatmul {
  std::size_t layer = 0;
  std::size_t matmul = 0;
  double share = 0.0;
};

std::vector<RoundedMatmul> rounded_matmuls(const advice::RecipeEvidence& evidence) {
  std::vector<RoundedMatmul> all;
  double of_loss = 0.0, of_gradients = 0.0;
  for (std::size_t i = 0; i < evidence.layers.size(); ++i) {
    for (std::size_t m = 0; m < kMatmuls.size(); ++m) {
      const advice::RecipeLayer& layer = evidence.layers[i];
      if (layer.impacts[m].empty() && layer.is_rounded[m]) all.push_back({i, m, kNotMeasured});
      for (const auto& [format, impact] : layer.impacts[m]) {
        const double size = advice::error_cost_of(impact.steps, impact.is_independent).size();
        all.push_back({i, m, size});
        (m == advice::kFprop ? of_loss : of_gradients) += size;
      }
    }
  }
  for (RoundedMatmul& one : all) {
    const double whole = one.matmul == advice::kFprop ? of_loss : of_gradients;
    if (one.share != kNotMeasured) one.share = whole > 0.0 ? one.share / whole : 0.0;
  }
  std::ranges::stable_sort(all, std::greater(), &RoundedMatmul::share);
  return all;
}

/// Returns lines for matmuls that advice keeps in high precision because of the effect of rounding. Ignores times: a
/// search counts matmuls, so it treats matmuls that the format does not speed up like all others.
std::set<std::string> lines_of_advice(advice::RecipeEvidence evidence) {
  std::set<std::string> lines;
  evidence.are_copies_free = true;
  const advice::RecipeAdvice advice = advise_recipes(evidence, {.each_layer = true});
  for (const advice::GroupAdvice& group : advice.groups) {
    for (std::size_t m = 0; m < kMatmuls.size(); ++m) {
      if (!group.matmuls[m] || group.matmuls[m]->format != advice.formats.front().name) continue;
      for (const std::string& module : group.modules) {
        lines.insert(advice::format_line(evidence.layers, {module, group.op}, m, kHigh));
      }
    }
  }
  return lines;
}

}  // namespace

Candidates recipe_candidates(const advice::RecipeEvidence& evidence) {
  Candidates candidates{.all = {}, .unit = "matmul"};
  for (const RoundedMatmul& one : rounded_matmuls(evidence)) {
    const advice::RecipeLayer& layer = evidence.layers[one.layer];
    const std::string line = advice::format_line(evidence.layers, {layer.module, layer.op}, one.matmul, kHigh);
    const auto same = std::ranges::find(candidates.all, line, &Candidate::line);
    if (same == candidates.all.end()) candidates.all.push_back({.line = line, .because = {}});
  }
  const std::set<std::string> advised = lines_of_advice(evidence);
  const auto rest = std::stable_partition(candidates.all.begin(), candidates.all.end(),
                                          [&](const Candidate& candidate) { return advised.contains(candidate.line); });
  candidates.advised = static_cast<std::size_t>(rest - candidates.all.begin());
  return candidates;
}

}  // namespace ampprof::search

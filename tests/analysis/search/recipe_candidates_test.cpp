// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/recipe_candidates.h"

#include <gtest/gtest.h>

#include "amp_core/policy/policy.h"
#include "tests/precision/advice/recipes/layers.h"

namespace ampprof::search {
namespace recipe_candidates_test {

using advice::layer;
using advice::RecipeLayer;
using Lines = std::vector<std::string>;

Lines lines_of(const Candidates& candidates) {
  Lines lines;
  for (const Candidate& candidate : candidates.all) lines.push_back(candidate.line);
  return lines;
}

Candidates candidates_of(std::vector<RecipeLayer> layers) {
  return recipe_candidates(advice::evidence(std::move(layers), {"nvfp4"}));
}

void set_change(RecipeLayer& layer, std::size_t matmul, double change) {
  for (StepImpact& step : layer.impacts[matmul]["nvfp4"].steps) step.change = change;
}

TEST(RecipeCandidates, AreMatmulsByTheirShareOfWhatTheirKindDoes) {
  RecipeLayer first = layer("blocks.0.up", {{"nvfp4", 1e-6}}), second = layer("head", {{"nvfp4", 1e-6}});
  set_change(first, advice::kFprop, 3e-6);   // three quarters of the loss impact
  set_change(second, advice::kDgrad, 7e-4);  // nearly all of the step impact
  const Candidates candidates = candidates_of({first, second});
  const Lines lines = lines_of(candidates);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(Lines(lines.begin(), lines.begin() + 3),
            (Lines{"head dgrad bf16", "blocks.0.up fprop bf16", "head fprop bf16"}));
  EXPECT_EQ(candidates.unit, "matmul");
}

TEST(RecipeCandidates, BeginWithWhatAdviceKeeps) {
  RecipeLayer much = layer("a", {{"nvfp4", 1e-6}}), little = layer("b", {{"nvfp4", 1e-6}});
  set_change(much, advice::kWgrad, 1.0);
  const Candidates candidates = candidates_of({little, much});
  EXPECT_EQ(candidates.advised, 1U);
  EXPECT_EQ(candidates.all.front().line, "a wgrad bf16");
}

TEST(RecipeCandidates, AreNotKeptForTimeAlone) {
  RecipeLayer small = layer("small", {{"nvfp4", 1e-9}});
  small.rows = small.columns = small.leading = 64;  // quantizing the operands takes longer than it saves
  EXPECT_EQ(candidates_of({small}).advised, 0U);
}

TEST(RecipeCandidates, LeaveOutWhatIsNotRounded) {
  RecipeLayer first = layer("first", {{"nvfp4", 1e-6}});
  first.impacts[advice::kDgrad].clear();
  EXPECT_EQ(lines_of(candidates_of({first, layer("other", {})})),
            (Lines{"first fprop bf16", "first wgrad bf16"}));
}

/// A matmul that is rounded but was not measured must be a candidate too, because the run with every candidate in high
/// precision must round nothing.
TEST(RecipeCandidates, HoldWhatIsRoundedAndWasNotMeasuredToo) {
  RecipeLayer frozen = layer("teacher", {});
  frozen.is_rounded = {true, false, false};
  const Candidates candidates = candidates_of({frozen, layer("up", {{"nvfp4", 1e-6}})});
  EXPECT_EQ(lines_of(candidates).size(), 4U);
  EXPECT_EQ(candidates.all.front().line, "teacher fprop bf16") << "which advice keeps";
  EXPECT_EQ(candidates.advised, 1U);
}

/// A policy line that names a module applies to everything inside the module. If submodules have candidates of their
/// own, the line must name the op.
TEST(RecipeCandidates, NameTheOpWhereAModuleHasSeveral) {
  RecipeLayer scores = layer("block", {{"nvfp4", 1e-6}});
  scores.op = "bmm";
  for (std::size_t m : {advice::kDgrad, advice::kWgrad}) scores.impacts[m].clear();
  RecipeLayer outside = layer("", {{"nvfp4", 1e-7}});
  for (std::size_t m : {advice::kDgrad, advice::kWgrad}) outside.impacts[m].clear();
  const Lines lines = lines_of(candidates_of({scores, layer("block.up", {{"nvfp4", 1e-8}}), outside}));
  for (const char* line : {"aten::bmm fprop bf16 in block", "block.up fprop bf16", "aten::linear fprop bf16"}) {
    EXPECT_NE(std::ranges::find(lines, line), lines.end()) << line;
  }
  for (const std::string& line : lines) EXPECT_EQ(to_text(amp::parse_policy(line, "p")), line + '\n');
}

}  // namespace recipe_candidates_test
}  // namespace ampprof::search

// SPDX-License-Identifier: Apache-2.0
// Compares the predicted effect of FP8 and FP4 recipes (--what-if) with runs under these recipes.
#include "reports/queries/recipes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/matmul.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace recipes_test {

using queries::RecipeMatmulRow;
using test_support::with_repetitions;

constexpr const char* kSteps = " --steps 8 --batch-size 32 --opt-level O0 --threads 1 --seed 2";

struct RecipeRuns : ::testing::Test {
  queries::Report recorded(const std::string& options, const std::string& sample) {
    const auto result = run_command(ampprof() + " run --force -o r.ampprof " + options + " " + sample, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return queries::Report(folder.path() / "r.ampprof");
  }

  /// Returns the losses by step. The weights are trained in advance and held constant.
  std::map<std::int64_t, double> losses(const std::string& options, const std::string& sample) {
    const queries::Report report = recorded(options + " --reference off", "sample:" + sample + held(sample));
    std::map<std::int64_t, double> found;
    for (const queries::LossRow& row : queries::losses(report)) found[row.step] = row.loss.value;
    return found;
  }

  std::string held(const std::string& sample) {
    const std::filesystem::path file = folder.path() / "weights.pt";
    if (!std::filesystem::exists(file)) {
      const auto trained = run_command(
          program("sample_" + sample) + " --opt-level O0 --steps 40 --threads 1 --save-weights " + file.string(),
          folder.path());
      EXPECT_EQ(trained.exit_code, 0) << trained.err;
    }
    return kSteps + (" --hold-weights " + file.string());
  }

  TemporaryFolder folder;
};

struct Prediction {
  std::string sample;
  std::string recipe;
  double within;  ///< tolerance, relative to the root mean square of the true changes
  int layers;     ///< number of layers that the recipe converts
};

std::string name_of(const Prediction& value) { return value.sample + "_in_" + value.recipe; }
void PrintTo(const Prediction& value, std::ostream* out) { *out << name_of(value); }

struct PredictedChange : RecipeRuns, ::testing::WithParamInterface<Prediction> {};

TEST_P(PredictedChange, OfTheLossIsThatOfARunInTheRecipe) {
  const auto& [sample, recipe, within, layers_taken] = GetParam();
  const auto plain = losses("", sample);
  const auto in_recipe = losses("--recipe " + recipe, sample);
  const auto report = recorded("--every 1 --what-if " + recipe, "sample:" + sample + held(sample));
  std::map<std::int64_t, double> predicted;
  int layers = 0;
  for (const RecipeMatmulRow& row : queries::recipe_matmuls(report)) {
    if (row.matmul != Matmul::Fprop || row.phase != Phase::Forward) continue;
    layers += row.is_quantized ? 1 : 0;
    for (const StepImpact& step : row.by_step) predicted[step.step] += step.change;
  }
  EXPECT_EQ(layers, layers_taken);
  double off = 0.0, truth = 0.0;
  for (const auto& [step, change] : predicted) {
    const double true_change = in_recipe.at(step) - plain.at(step);
    off += std::pow(change - true_change, 2);
    truth += true_change * true_change;
  }
  EXPECT_EQ(predicted.size(), 8u);
  for (const queries::LossRow& row : queries::losses(report)) {
    EXPECT_NEAR(row.loss.shadow_value.value_or(0.0), in_recipe.at(row.step), 1e-6) << "the shadow is in the recipe";
  }
  EXPECT_GT(truth, 0.0);
  EXPECT_LT(std::sqrt(off / truth), within);
}

// The last layer of mlp is not converted, because it has 10 rows. The transformer's attention products have no module,
// so delayed scales treat those of all blocks as one layer.
INSTANTIATE_TEST_SUITE_P(Recipes, PredictedChange,
                         ::testing::ValuesIn(with_repetitions<Prediction>({{"mlp", "nvfp4", 0.1, 2},
                                                                           {"transformer", "fp8_delayed", 0.05, 18}},
                                                                          {{"mlp", "fp8_current", 0.05, 2}})),
                         [](const auto& info) { return name_of(info.param); });

/// Parameters begin as views of uninitialized memory, which may hold any value.
TEST_F(RecipeRuns, HaveRangesOfWhatWasComputedAlone) {
  const queries::Report report =
      recorded("--every 1 --what-if fp8_current", "sample:transformer" + std::string(kSteps));
  int with_ranges = 0;
  for (const queries::OpRow& op : queries::ops(report)) {
    with_ranges += op.ranges ? 1 : 0;
    const bool is_view = op.op == "detach" || op.op == "view" || op.op == "t" || op.op == "transpose.int";
    EXPECT_FALSE(is_view && op.ranges) << op.call_site;
  }
  EXPECT_GT(with_ranges, 30);
}

TEST_F(RecipeRuns, HoldAllThreeMatmulsOfALayer) {
  const auto report = recorded("--every 1 --what-if fp8_current,mxfp8", "sample:mlp" + std::string(kSteps));
  std::map<std::pair<std::string, Matmul>, int> quantized, left;
  for (const RecipeMatmulRow& row : queries::recipe_matmuls(report)) {
    if (row.phase != Phase::Forward) continue;
    (row.is_quantized ? quantized : left)[{row.recipe, row.matmul}] += 1;
    EXPECT_EQ(row.steps, row.is_on_loss() ? 8 : 1) << "one step in eight has a backward: " << row.call_site;
    EXPECT_EQ(row.is_quantized, row.relative_error().has_value()) << row.call_site;
    EXPECT_EQ(row.is_quantized, row.has_impact) << row.call_site << name_of(row.matmul);
    if (!row.is_quantized) {
      EXPECT_NE(row.reason.find("multiple of"), std::string::npos) << row.reason;
      continue;
    }
    EXPECT_GT(row.first.count, 0) << row.call_site;
    EXPECT_GT(*row.first.sqnr_db(), 20.0) << row.call_site;
    EXPECT_LT(*row.relative_error(), 0.2) << row.call_site;
    EXPECT_EQ(row.is_on_loss(), !row.decrease.has_value()) << "two figures";
  }
  // The input of the first layer needs no gradient, so it has no dgrad.
  EXPECT_EQ((quantized[{"fp8_current", Matmul::Fprop}]), 2);
  EXPECT_EQ((quantized[{"fp8_current", Matmul::Dgrad}]), 1);
  EXPECT_EQ((quantized[{"fp8_current", Matmul::Wgrad}]), 2);
  EXPECT_EQ((left[{"fp8_current", Matmul::Dgrad}]), 1);
  EXPECT_EQ((quantized[{"mxfp8", Matmul::Fprop}]), 1) << "the first layer's 784 columns are not a multiple of 32";
}

/// Returns a row as text, without its run.
std::string text_of(const RecipeMatmulRow& row) {
  std::string text = fmt::format("{} {} {} {} {} {} {}", row.recipe, row.call_site, name_of(row.matmul), row.steps,
                                 row.sum_sq_error, row.sum_sq_exact, row.first.sum_sq_error);
  for (const StepImpact& step : row.by_step) text += fmt::format(" {}:{}", step.step, step.change);
  return text + fmt::format(" {}\n", row.decrease.value_or(0.0));
}

/// Returns the recipe's matmuls as text, and the ops of the recipe's run with local errors and ranges.
std::string text_of(const queries::Report& report, const std::string& recipe) {
  std::string text;
  for (const RecipeMatmulRow& row : queries::recipe_matmuls(report)) text += row.recipe == recipe ? text_of(row) : "";
  for (const queries::RunRow& run : queries::runs(report)) {
    if (run.what_if != recipe) continue;
    text += fmt::format("{} steps\n", run.steps);
    for (const queries::OpRow& op : queries::ops(report, run.run)) {
      text += fmt::format("{} {} {} {}\n", op.call_site, op.calls, op.local ? op.local->sum_sq_error : -1.0,
                          op.ranges ? op.ranges->amax : -1.0);
    }
  }
  return text;
}

struct RecipesTogether : RecipeRuns, ::testing::WithParamInterface<const char*> {};

/// A run that follows several recipes gives the same results as a run with each of them alone.
TEST_P(RecipesTogether, TellWhatEachTellsAlone) {
  const std::string sample = "sample:mlp" + std::string(kSteps);
  const auto record = [&](const std::string& recipes) {
    const auto result = run_command(fmt::format("{} {} run --force -o {}.ampprof --every 1 --what-if {} {}", GetParam(),
                                                ampprof(), recipes, recipes, sample),
                                    folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return queries::Report(folder.path() / (recipes + ".ampprof"));
  };
  const auto together = record("fp8_delayed,nvfp4,mxfp8");
  EXPECT_EQ(queries::runs(together).size(), 3u);
  for (const std::string recipe : {"fp8_delayed", "nvfp4", "mxfp8"}) {
    const std::string alone = text_of(record(recipe), recipe);
    EXPECT_GT(alone.size(), 1000u);
    EXPECT_EQ(text_of(together, recipe), alone);
  }
}

INSTANTIATE_TEST_SUITE_P(Figures, RecipesTogether,
                         ::testing::ValuesIn(with_repetitions<const char*>({"env"}, {"env AMPPROF_PENDING=1"})),
                         [](const auto& info) { return info.index == 0 ? "AtOnce" : "ThatComeLate"; });

constexpr const char* kAttention = R"(
import torch, torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
torch.manual_seed(0)
torch.set_num_threads(1)
layer = torch.nn.Linear(64, 192, bias=False)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(3):
    parts = layer(torch.randn(2, 32, 64)).split(64, 2)
    with sdpa_kernel(SDPBackend.MATH):
        y = F.scaled_dot_product_attention(*(part.view(2, 32, 2, 32).transpose(1, 2) for part in parts), is_causal=True)
    optimizer.zero_grad()
    y.square().mean().backward()
    optimizer.step()
)";

struct AttentionIn : RecipeRuns, ::testing::WithParamInterface<const char*> {
  queries::Report recorded_with(const std::string& options) {
    std::string script = kAttention;
    script.replace(script.find("MATH"), 4, GetParam());
    std::ofstream(folder.path() / "attend.py") << script;
    return recorded(options, "-- " + python() + " attend.py");
  }
};

/// The math backend adds its mask, which contains -inf, to the first product in place. The other backend returns only
/// the output.
TEST_P(AttentionIn, IsFollowedAsARunInTheRecipeHasIt) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const auto executed = recorded_with("--reference off --recipe fp8_current");
  const auto report = recorded_with("--every 1 --what-if fp8_current");
  const auto losses = queries::losses(executed);
  EXPECT_NEAR(queries::losses(report)[0].loss.shadow_value.value_or(0.0), losses[0].loss.value, 1e-7)
      << "before the first update";
  std::map<std::int64_t, double> added;
  int of_attention = 0;
  for (const RecipeMatmulRow& row : queries::recipe_matmuls(report)) {
    EXPECT_EQ(row.gaps, 0) << row.call_site << ": " << row.gap_reason;
    if (row.op == "scaled_dot_product_attention") of_attention += row.has_impact ? 1 : 0;
    if (!row.is_on_loss()) continue;
    for (const StepImpact& step : row.by_step) added[step.step] += step.change;
  }
  EXPECT_EQ(of_attention, 3) << "fprop, dgrad and wgrad";
  const auto changes = queries::loss_changes(report);
  ASSERT_EQ(changes.size(), 3u);
  double off = 0.0, whole = 0.0;
  for (const queries::LossChange& step : changes) {
    off += std::pow(added[step.step] - step.change, 2);
    whole += step.change * step.change;
  }
  EXPECT_LT(std::sqrt(off / whole), 0.003) << "0.0038 with gradients of what the recipe's own output would be";
  for (const queries::MissingRow& row : queries::missing(report)) EXPECT_NE(row.missing.what, "matmuls of attention");
}

INSTANTIATE_TEST_SUITE_P(Backends, AttentionIn,
                         ::testing::ValuesIn(with_repetitions<const char*>({"FLASH_ATTENTION"}, {"MATH"})),
                         [](const auto& info) { return std::string(info.param); });

constexpr const char* kRecurrent = R"(
import torch
torch.manual_seed(0)
torch.set_num_threads(1)
net, head = torch.nn.GRU(32, 64), torch.nn.Linear(64, 32)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    head(net(torch.randn(4, 16, 32))[0]).square().mean().backward()
    optimizer.step()
)";

TEST_F(RecipeRuns, LeaveRecurrentNetworksAsTheyAre) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  std::ofstream(folder.path() / "recurrent.py") << kRecurrent;
  const std::string command = "-- " + python() + " recurrent.py";
  const auto executed = recorded("--reference off --recipe fp8_current", command);
  const auto report = recorded("--every 1 --what-if fp8_current", command);
  const double run = queries::losses(report)[0].loss.value, in_recipe = queries::losses(executed)[0].loss.value;
  EXPECT_NEAR(queries::losses(report)[0].loss.shadow_value.value_or(0.0), in_recipe, 0.01 * std::abs(run - in_recipe));
  int left = 0;
  for (const RecipeMatmulRow& row : queries::recipe_matmuls(report)) {
    if (row.matmul != Matmul::Fprop) continue;
    EXPECT_EQ(row.is_quantized, row.op == "linear") << row.op;
    if (row.is_quantized) continue;
    EXPECT_EQ(row.reason, "Stays BF16: it is inside a recurrent network, which no recipe supports.");
    ++left;
  }
  EXPECT_GT(left, 0);
}

TEST_F(RecipeRuns, LeaveFp64AsItIs) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  std::ofstream(folder.path() / "double.py") << "import torch\ntorch.set_default_dtype(torch.float64)\n" << kAttention;
  const auto report = recorded("--every 1 --what-if fp8_current", "-- " + python() + " double.py");
  EXPECT_TRUE(queries::recipe_matmuls(report).empty());
  for (const queries::LossChange& step : queries::loss_changes(report)) EXPECT_EQ(step.change, 0.0);
}

TEST_F(RecipeRuns, TellMatmulsOfAConvolutionApart) {
  const auto report = recorded("--steps 1:2 --what-if fp8_current",
                               "sample:mnist_cnn --steps 2 --batch-size 16 --opt-level O0 --threads 1");
  int dgrad = 0, wgrad = 0;
  for (const RecipeMatmulRow& row : queries::recipe_matmuls(report)) {
    if (row.phase != Phase::Forward || row.op != "conv2d") continue;
    EXPECT_FALSE(row.has_hardware) << row.call_site;
    if (!row.is_quantized) continue;
    dgrad += row.matmul == Matmul::Dgrad && row.has_impact ? 1 : 0;
    wgrad += row.matmul == Matmul::Wgrad && row.has_impact ? 1 : 0;
  }
  EXPECT_GT(dgrad, 0);
  EXPECT_EQ(dgrad, wgrad);
}

TEST_F(RecipeRuns, ScreenSeveralRecipesInOne) {
  const auto report = recorded("--every 1 --screen mxfp8,nvfp4,no_hadamard", "sample:mlp" + std::string(kSteps));
  EXPECT_EQ(queries::runs(report).size(), 1u);
  std::map<std::string, double> errors;
  for (const RecipeMatmulRow& row : queries::recipe_matmuls(report)) {
    EXPECT_FALSE(row.has_impact) << row.call_site;
    if (row.phase == Phase::Forward) {
      EXPECT_EQ(row.steps, row.matmul == Matmul::Fprop ? 8 : 2) << "one step in four has dgrad and wgrad";
    }
    if (row.is_quantized && row.matmul == Matmul::Fprop) errors[row.recipe] += *row.relative_error();
  }
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_GT(errors.at("nvfp4,no_hadamard"), 2 * errors.at("mxfp8"));
}

}  // namespace recipes_test
}  // namespace ampprof::testing

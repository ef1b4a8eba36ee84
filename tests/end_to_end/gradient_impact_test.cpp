// SPDX-License-Identifier: Apache-2.0
// Tests how errors of backward ops change the loss decrease of a step, in programs that do not use ampprof.
#include "reports/records/gradient_impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "reports/queries/gradient_impacts.h"
#include "reports/queries/missing.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace gradient_impact_test {

using queries::GradientImpactRow;

struct GradientImpacts : ::testing::Test {
  queries::Report recorded(const std::string& options, const std::string& program) {
    const auto result = run_command(ampprof() + " run --force -o r.ampprof " + options + " " + program, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return queries::Report(folder.path() / "r.ampprof");
  }

  static std::vector<std::string> reasons(const queries::Report& report) {
    std::vector<std::string> found;
    for (const queries::MissingRow& row : queries::missing(report)) {
      if (row.missing.what == "gradient impact of backward ops") found.push_back(row.missing.cause);
    }
    return found;
  }

  TemporaryFolder folder;
};

void expect_impacts(const queries::Report& report, const std::string& op) {
  const auto rows = queries::gradient_impacts(report);
  const auto is_of_op = [&](const GradientImpactRow& row) { return row.op == op && row.impact; };
  EXPECT_GT(std::ranges::count_if(rows, is_of_op), 0) << op;
  int forward = 0;
  for (const GradientImpactRow& row : rows) {
    EXPECT_FALSE(row.is_ranking_only) << row.name;
    forward += row.source == GradientImpactSource::ForwardErrors ? 1 : 0;
    EXPECT_TRUE(std::isfinite(row.impact.value_or(0.0))) << row.name;
    EXPECT_LT(std::abs(row.share.value_or(0.0)), 0.5) << row.name;
  }
  EXPECT_EQ(forward, 1);
  const auto errors = queries::gradient_errors(report);
  ASSERT_GT(errors.size(), 1u);
  for (const queries::GradientErrorRow& row : errors) {
    EXPECT_GT(*row.cosine, 0.99) << row.parameter;
    EXPECT_LT(*row.relative, 0.1) << row.parameter;
    ASSERT_TRUE(row.noise) << row.parameter;
    EXPECT_GT(*row.noise, 0.0) << row.parameter;
  }
}

TEST_F(GradientImpacts, OfAProgramWithAnEngine) {
  const auto report = recorded("--impact --levels O1", "sample:mlp --steps 4 --seed 1");
  EXPECT_EQ(reasons(report), std::vector<std::string>{});
  expect_impacts(report, "mm");
}

TEST_F(GradientImpacts, OfModelsInHalfWithMasters) {
  const auto report = recorded("--impact --levels O2", "sample:mlp --steps 4 --seed 1");
  EXPECT_EQ(reasons(report), std::vector<std::string>{});
  expect_impacts(report, "mm");
}

TEST_F(GradientImpacts, OfARunInAnotherType) {
  const auto report = recorded("--impact --what-if fp16", "sample:mlp --steps 3 --seed 1 --opt-level O0");
  EXPECT_EQ(reasons(report), std::vector<std::string>{});
  const auto rows = queries::gradient_impacts(report);
  EXPECT_TRUE(std::ranges::any_of(rows, [](const GradientImpactRow& row) { return row.impact.has_value(); }));
  EXPECT_TRUE(std::ranges::none_of(
      rows, [](const GradientImpactRow& row) { return row.source == GradientImpactSource::ForwardErrors; }));
}

constexpr const char* kPython = R"(
import torch
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3, bias=False), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Flatten(),
                            torch.nn.Dropout(0.2), torch.nn.Linear(4 * 36, 10))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(4):
    images, labels = torch.randn(16, 1, 8, 8), torch.randint(10, (16,))
    optimizer.zero_grad()
    for half in (slice(0, 8), slice(8, 16)):
        with torch.autocast("cpu", torch.float16):
            loss = torch.nn.functional.cross_entropy(model(images[half]), labels[half]) / 2
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
)";

TEST_F(GradientImpacts, OfAPythonProgramThatAccumulatesAndClips) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  std::ofstream(folder.path() / "train.py") << kPython;
  const auto report = recorded("--impact", "-- " + python() + " train.py");
  EXPECT_EQ(reasons(report), std::vector<std::string>{});
  expect_impacts(report, "convolution_backward");
}

constexpr const char* kCustomFunction = R"(
import torch
class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2
torch.manual_seed(1)
layer = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", torch.bfloat16):
        loss = Doubled.apply(layer(torch.randn(4, 8))).float().square().mean()
    loss.backward()
    optimizer.step()
)";

TEST_F(GradientImpacts, OnlyRankWhereTheyComeThroughACustomFunction) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  std::ofstream(folder.path() / "train.py") << kCustomFunction;
  const auto report = recorded("--impact --inherited", "-- " + python() + " train.py");
  EXPECT_EQ(reasons(report),
            std::vector<std::string>{"a tensor that requires a gradient was not computed in this step"})
      << "of the first step";
  const auto rows = queries::gradient_impacts(report);
  EXPECT_TRUE(std::ranges::any_of(rows, [](const GradientImpactRow& row) { return row.op == "mm" && row.impact; }));
  for (const GradientImpactRow& row : rows) {
    EXPECT_TRUE(row.is_ranking_only) << row.name;
    EXPECT_EQ(row.steps + row.gaps, 2) << row.name;
  }
  const auto errors = queries::gradient_errors(report);
  ASSERT_EQ(errors.size(), 2u);
  for (const queries::GradientErrorRow& row : errors) {
    EXPECT_EQ(row.steps, 3) << row.parameter << ": of the first step by the shadow";
    EXPECT_GT(*row.cosine, 0.99) << row.parameter;
    EXPECT_GT(*row.relative, 0.0) << row.parameter;
  }
}

}  // namespace gradient_impact_test
}  // namespace ampprof::testing

// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/highlights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"

namespace ampprof::analysis {
namespace highlights_test {

using Outcome = FinalLosses::Compared::Outcome;

queries::RunRow run_at(std::int64_t id, const std::string& level) {
  queries::RunRow run;
  run.run = id;
  run.level = level;
  return run;
}

queries::RunRow with_loss(std::int64_t id, const std::string& level, double loss, double noise = 0) {
  queries::RunRow run = run_at(id, level);
  run.final_loss = loss;
  run.ends_nonfinite = !std::isfinite(loss);
  if (std::isfinite(loss)) run.last_loss_mean = loss;
  run.last_loss_noise = noise;
  return run;
}

TEST(RunOfInterest, IsTheLowestLevelThatReducesPrecision) {
  EXPECT_EQ(run_of_interest({}), std::nullopt);
  EXPECT_EQ(run_of_interest({run_at(1, "O0"), run_at(2, "")})->run, 2) << "the last where no level reduces any";
  EXPECT_EQ(run_of_interest({run_at(1, "O3"), run_at(2, "O2"), run_at(3, "O0")})->run, 2);
  EXPECT_EQ(run_of_interest({run_at(1, "O2"), run_at(2, "O1"), run_at(3, "O1")})->run, 2);
}

TEST(FinalLosses, AreTheSameWithinTwoStandardErrorsOfTheirDifference) {
  const auto outcome = [](double loss, double noise) {
    const std::vector runs{with_loss(1, "O0", 1.0, 0.375), with_loss(2, "O1", loss, noise)};
    return compare_final_losses(runs).compared.at(0).outcome;
  };
  EXPECT_EQ(outcome(2.25, 0.5), Outcome::Same) << "2 sqrt(0.375^2 + 0.5^2) is 1.25";
  EXPECT_EQ(outcome(2.375, 0.5), Outcome::Higher);
  EXPECT_EQ(outcome(-0.25, 0.5), Outcome::Same);
  EXPECT_EQ(outcome(-0.375, 0.5), Outcome::Lower);
}

TEST(FinalLosses, WithoutANoiseHaveToBeEqual) {
  std::vector runs{with_loss(1, "O0", 1.0), with_loss(2, "O1", 1.0), with_loss(3, "O2", 1.0 + 1e-9)};
  for (queries::RunRow& run : runs) run.last_loss_noise.reset();
  const FinalLosses losses = compare_final_losses(runs);
  ASSERT_EQ(losses.compared.size(), 2u);
  EXPECT_EQ(losses.compared[0].outcome, Outcome::Same);
  EXPECT_EQ(losses.compared[1].outcome, Outcome::Higher);
}

TEST(FinalLosses, AreComparedWithTheFirstRunInFp32ThatHasOne) {
  const std::vector runs{run_at(1, "O0"), with_loss(2, "O0", 1.0), with_loss(3, "O0", 5.0), run_at(4, "O1"),
                         with_loss(5, "O1", 2.0)};
  const FinalLosses losses = compare_final_losses(runs);
  EXPECT_EQ(losses.baseline, &runs[1]);
  ASSERT_EQ(losses.compared.size(), 1u) << "runs in FP32 are not compared, nor those without a loss";
  EXPECT_EQ(losses.compared[0].run, &runs[4]);
}

TEST(FinalLosses, ThatAreNotFiniteNeedNoBaseline) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector runs{with_loss(1, "O0", nan), with_loss(2, "O1", 2.0), with_loss(3, "O2", nan)};
  const FinalLosses losses = compare_final_losses(runs);
  ASSERT_EQ(losses.compared.size(), 2u) << "nothing is compared with NaN";
  EXPECT_EQ(losses.compared[0].run, &runs[0]);
  EXPECT_EQ(losses.compared[1].outcome, Outcome::NotFinite);
  const std::vector alone{with_loss(1, "O1", 2.0)};
  EXPECT_EQ(compare_final_losses(alone).baseline, nullptr);
  EXPECT_TRUE(compare_final_losses(alone).compared.empty());
}

TEST(FinalLosses, OfARunThatAlsoHasFiniteOnesAreCompared) {
  std::vector runs{with_loss(1, "O0", 1.0), with_loss(2, "O1", 2.0)};
  runs[1].final_loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compare_final_losses(runs).compared.at(0).outcome, Outcome::Higher) << "by their mean";
}

TEST(FinalLosses, DoNotFallWhereThoseOfO0Do) {
  const auto outcome = [](double fall_of_o0, double fall, double loss) {
    std::vector runs{with_loss(1, "O0", 1.0), with_loss(2, "O1", loss)};
    runs[0].loss_fall = fall_of_o0;
    runs[1].loss_fall = fall;
    runs[0].loss_fall_noise = runs[1].loss_fall_noise = 0.5;
    return compare_final_losses(runs).compared.at(0).outcome;
  };
  EXPECT_EQ(outcome(2.0, 1.0, 3.0), Outcome::DoesNotFall) << "by no more than two standard errors";
  EXPECT_EQ(outcome(2.0, 1.25, 3.0), Outcome::Higher) << "it falls less";
  EXPECT_EQ(outcome(1.0, 0.0, 3.0), Outcome::Higher) << "that of O0 does not fall, either";
  EXPECT_EQ(outcome(2.0, 0.0, 1.0), Outcome::Same);
  EXPECT_EQ(outcome(2.0, 0.0, 0.5), Outcome::Lower);
}

queries::OpRow op_of(std::int64_t run, Phase phase, std::optional<double> error) {
  queries::OpRow op;
  op.run = run;
  op.phase = phase;
  if (error) op.local = ErrorStats{.count = 1, .sum_sq_error = *error * *error, .sum_sq_reference = 1};
  return op;
}

TEST(WorstOps, AreThoseOfOneRunAndPhaseWithAnErrorLargestFirst) {
  const ReportRows rows{{},
                        {op_of(1, Phase::Forward, 0.25), op_of(1, Phase::Forward, 0.0), op_of(1, Phase::Forward, {}),
                         op_of(1, Phase::Forward, 0.5), op_of(2, Phase::Forward, 1.0), op_of(1, Phase::Backward, 2.0)},
                        {},
                        {}};
  const auto worst = worst_ops(rows, 1, Phase::Forward, 6);
  ASSERT_EQ(worst.size(), 2u);
  EXPECT_EQ(worst[0].local->relative_l2(), 0.5);
  EXPECT_EQ(worst_ops(rows, 1, Phase::Forward, 1).size(), 1u);
}

queries::ImpactRow impact_of(std::int64_t run, std::int32_t loss, std::optional<double> mean,
                             std::optional<double> rms) {
  queries::ImpactRow row;
  row.run = run;
  row.loss_id = loss;
  row.impact = mean;
  row.impact_rms = rms;
  return row;
}

TEST(LargestImpacts, ShareTheSumOfSquares) {
  const ReportRows rows{{},
                        {},
                        {},
                        {},
                        {impact_of(1, 0, 1.0, 3.0), impact_of(1, 0, -3.0, 4.0), impact_of(1, 1, 0.5, {}),
                         impact_of(1, 0, {}, 9.0), impact_of(2, 0, 7.0, 7.0)}};
  const auto found = largest_impacts(rows, 1, 2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->change_of_loss, (std::map<std::int32_t, double>{{0, -2.0}, {1, 0.5}}));
  ASSERT_EQ(found->largest.size(), 2u);
  EXPECT_EQ(found->largest[0].impact, &rows.impacts[1]);
  EXPECT_EQ(found->largest[0].share, 16.0 / 25);
  EXPECT_EQ(found->largest[1].share, 9.0 / 25);
  EXPECT_EQ(largest_impacts(rows, 3, 2), std::nullopt);
  EXPECT_EQ(largest_impacts({{}, {}, {}, {}, {impact_of(1, 0, 0.0, 0.0)}}, 1, 2), std::nullopt) << "nothing changes";
}

TEST(InheritedError, IsLookedForInOneRun) {
  ReportRows rows{{}, {op_of(1, Phase::Forward, 0.5), op_of(2, Phase::Forward, 0.5)}, {}, {}};
  rows.ops[1].inherited = ErrorStats{};
  EXPECT_FALSE(has_inherited_error(rows, 1));
  EXPECT_TRUE(has_inherited_error(rows, 2));
}

/// Two runs. Run 1 has a matmul whose sizes break a Tensor Core rule, a matmul whose sizes fit, and an op without a
/// signature. Run 2 has only the first matmul.
class JudgedMatmuls : public testing::Test {
 protected:
  JudgedMatmuls() {
    for (const std::int64_t run : {1, 2}) {
      rows_.runs.push_back(run_at(run, "O1"));
      rows_.runs.back().target_gpu = "A100";
    }
    add(1, "f16[64,33] f16[33,64]", 10, {});
    add(1, "f16[64,64] f16[64,64]", 20, {});
    add(1, "", 30, {});
    add(2, "f16[64,33] f16[33,64]", 40, {});
  }

  queries::OpRow& add(std::int64_t run, const char* signature, double cpu_us, std::optional<double> gpu_us) {
    queries::OpRow& op = rows_.ops.emplace_back();
    op.run = run;
    op.op = "mm";
    op.signature = signature;
    op.dtype_in = op.dtype_out = DType::Half;
    op.cpu_us = cpu_us;
    op.gpu_us = gpu_us;
    return op;
  }

  ReportRows rows_;
};

TEST_F(JudgedMatmuls, AreCountedByRun) {
  const JudgedOps judged = judged_ops(rows_, Targets(rows_.runs), 1);
  EXPECT_EQ(judged.ops, 2);
  EXPECT_EQ(judged.eligible, 2);
  EXPECT_EQ(judged.gpu, "A100");
  EXPECT_TRUE(judged.obstacles.empty());
  EXPECT_EQ(judged_ops(rows_, Targets(rows_.runs), 3).ops, 0);
}

TEST_F(JudgedMatmuls, ThatCannotUseTensorCoresAreCountedByReasonAndComeFirst) {
  for (int i = 0; i < 2; ++i) {
    queries::OpRow& op = add(1, "i32[64,33] i32[33,64]", 1, {});
    op.dtype_in = op.dtype_out = DType::Int32;
  }
  const JudgedOps judged = judged_ops(rows_, Targets(rows_.runs), 1);
  EXPECT_EQ(judged.ops, 4);
  EXPECT_EQ(judged.eligible, 2);
  ASSERT_EQ(judged.obstacles.size(), 1u);
  EXPECT_EQ(judged.obstacles[0].brief, "no i32 on A100");
  EXPECT_EQ(judged.obstacles[0].reason, "A100 has no Tensor Cores for this type. Use BF16 or FP16.");
  EXPECT_EQ(judged.obstacles[0].ops, 2);
  EXPECT_EQ(tensor_core_misses(rows_, Targets(rows_.runs), 1).front().dtype_out, DType::Int32);
}

TEST_F(JudgedMatmuls, ThatMissARuleComeByTheirTimeOnTheGpuWhereItIsKnown) {
  add(1, "f16[64,35] f16[35,64]", 1, 50.0);
  add(1, "f16[64,37] f16[37,64]", 40, {});
  std::vector<std::string> signatures;
  for (const queries::OpRow& op : tensor_core_misses(rows_, Targets(rows_.runs), 1)) signatures.push_back(op.signature);
  EXPECT_EQ(signatures,
            (std::vector<std::string>{"f16[64,35] f16[35,64]", "f16[64,37] f16[37,64]", "f16[64,33] f16[33,64]"}));
}

TEST_F(JudgedMatmuls, ThatRanWithoutTensorCoresThoughTheyCouldComeByTheirTime) {
  const auto launched = [&](std::int64_t run, DType type, double gpu_us, const char* kernel) {
    queries::OpRow& op = add(run, "f16[64,64] f16[64,64]", 1, gpu_us);
    op.dtype_in = op.dtype_out = type;
    op.activities = {{.name = kernel, .count = 1, .gpu_us = gpu_us}};
  };
  launched(1, DType::Half, 5, "ampere_fp16_sgemm_fp16_128x64_tn");
  launched(1, DType::Half, 9, "ampere_fp16_s16816gemm_fp16_64x64_ldg8_f2f_nn");
  launched(1, DType::Half, 7, "ampere_sgemm_128x64_tn");
  launched(1, DType::Float, 8, "ampere_sgemm_128x64_tn");
  launched(1, DType::Half, 6, "ampere_sgemm_128x64_tn");
  rows_.ops.back().op = "conv2d";
  rows_.ops.back().signature = "f16[32,64,56,56] f16[64,1,3,3] stride=1 padding=1 dilation=1 groups=64";
  launched(2, DType::Half, 9, "ampere_sgemm_128x64_tn");
  std::vector<double> times;
  for (const queries::OpRow* op : avoidably_without_tensor_cores(rows_, Targets(rows_.runs), 1))
    times.push_back(*op->gpu_us);
  EXPECT_EQ(times, (std::vector<double>{7, 5})) << "neither FP32 nor a depthwise convolution can";
}

TEST(IdleShare, IsThatOfAStepAndReportedAboveOneHalf) {
  queries::RunRow run;
  run.ms_per_step = 8;
  EXPECT_EQ(large_idle_share(run), std::nullopt) << "no GPU";
  run.gpu_ms_per_step = 5;
  EXPECT_EQ(large_idle_share(run), std::nullopt);
  run.gpu_ms_per_step = 3;
  EXPECT_EQ(large_idle_share(run), 0.625);
  run.gpu_busy_share = 0.01;
  EXPECT_EQ(large_idle_share(run), 0.625) << "before the first step a GPU has nothing to do";
}

TEST(IdleShare, HoldsWhateverAmpprofTakesOfAStep) {
  queries::RunRow run;
  run.ms_per_step = 16;
  run.overhead_ms_per_step = 8;
  run.gpu_ms_per_step = 2;
  EXPECT_EQ(large_idle_share(run), 0.75);
  run.gpu_ms_per_step = 3;
  EXPECT_EQ(large_idle_share(run), std::nullopt) << "of 4 ms, if ampprof's own are 12";
  run.overhead_ms_per_step = 20;
  EXPECT_EQ(large_idle_share(run), std::nullopt);
}

queries::RunRow clocked(std::int64_t id, int sm_mhz) {
  queries::RunRow run = run_at(id, "O1");
  run.settings_json = R"({"gpus":[{"sm_mhz":)" + std::to_string(sm_mhz) + "}]}";
  return run;
}

TEST(Clocks, AreApartFromFivePercentOn) {
  EXPECT_FALSE(clocks_apart({clocked(1, 1000), clocked(2, 1049)}));
  const std::vector runs{run_at(1, "O0"), clocked(2, 1050), clocked(3, 1000), clocked(4, 1020)};
  const auto apart = clocks_apart(runs);
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->fast->run, 2);
  EXPECT_EQ(apart->slow->run, 3);
  EXPECT_EQ(apart->slow_clocks.sm_mhz, 1000);
  EXPECT_FALSE(clocks_apart({clocked(1, 1000), run_at(2, "O1")}));
  EXPECT_FALSE(clocks_apart({}));
}

TEST(TimesOfCpu, AreThoseOfAnEmulatedRunThatWasTimed) {
  queries::RunRow run;
  run.settings_json = R"({"fp16_emulated":true})";
  EXPECT_FALSE(includes_emulated_times({run}));
  run.ms_per_step = 1;
  EXPECT_TRUE(includes_emulated_times({queries::RunRow(), run}));
  run.settings_json = "";
  EXPECT_FALSE(includes_emulated_times({run}));
}

}  // namespace highlights_test
}  // namespace ampprof::analysis

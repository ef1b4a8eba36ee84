// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/targets.h"

#include <gtest/gtest.h>

#include "reports/queries/ops.h"
#include "reports/queries/probes.h"
#include "reports/queries/runs.h"

namespace ampprof::analysis {
namespace targets_test {

queries::RunRow run_on(const char* device, const char* target_gpu, const char* settings = "") {
  queries::RunRow run;
  run.run = 1;
  run.device = device;
  run.target_gpu = target_gpu;
  run.settings_json = settings;
  return run;
}

queries::OpRow matmul(const char* op, const char* signature, DType type = DType::Half) {
  queries::OpRow row;
  row.run = 1;
  row.op = op;
  row.signature = signature;
  row.dtype_out = type;
  return row;
}

std::string judged_for(const queries::RunRow& run, const std::string& forced = "") {
  const auto verdict = Targets({run}, forced).verdict(matmul("mm", "f16[64,64] f16[64,64]"));
  return verdict ? verdict->target_gpu : "nobody";
}

TEST(Targets, AreTheGpuAskedForElseTheRunsOwnElseTheOneItNamed) {
  EXPECT_EQ(judged_for(run_on("NVIDIA H100", "A100"), "V100"), "V100");
  EXPECT_EQ(judged_for(run_on("V100", "A100")), "V100");
  EXPECT_EQ(judged_for(run_on("cpu", "A100")), "A100");
  EXPECT_EQ(judged_for(run_on("a GPU that nobody knows", "A100")), "A100");
  EXPECT_EQ(judged_for(run_on("cpu", "")), "nobody");
  EXPECT_EQ(judged_for(run_on("cpu", "A100"), "a GPU that nobody knows"), "nobody");
}

TEST(Targets, JudgeNoOpOfAnotherRunOrWithoutShapes) {
  const Targets targets({run_on("cpu", "A100")});
  queries::OpRow op = matmul("mm", "f16[64,64] f16[64,64]");
  EXPECT_TRUE(targets.verdict(op));
  EXPECT_FALSE(targets.verdict(matmul("mm", "")));
  EXPECT_FALSE(targets.verdict(matmul("add", "f16[64,64] f16[64,64]")));
  op.run = 2;
  EXPECT_FALSE(targets.verdict(op));
  EXPECT_FALSE(targets.allows_tf32(op));
  EXPECT_FALSE(targets.figures(op));
}

TEST(Targets, KnowAVocabularyFromTheEmbeddingsOfTheRun) {
  Targets targets({run_on("cpu", "A100")});
  const queries::OpRow logits = matmul("mm", "f16[64,32] f16[32,27]");
  const auto speaks_of_vocabulary = [&] {
    return targets.verdict(logits)->reason.find("vocabulary") != std::string::npos;
  };
  EXPECT_FALSE(speaks_of_vocabulary());
  queries::OpRow elsewhere = matmul("embedding", "f16[27,32] i64[8]");
  elsewhere.run = 2;
  targets.learn_from({elsewhere, matmul("mm", "f16[27,32] f16[32,8]"), matmul("embedding", "f16[33,27] i64[27]")});
  EXPECT_FALSE(speaks_of_vocabulary());
  targets.learn_from({matmul("embedding", "f16[27,32] i64[8]")});
  EXPECT_TRUE(speaks_of_vocabulary()) << targets.verdict(logits)->reason;
}

TEST(Targets, TimeFp32AsTheRunMultipliedIt) {
  const auto own_of = [](const char* settings, DType type) {
    const queries::OpRow op = matmul("mm", "f32[64,64] f32[64,64]", type);
    const ProbeTime time{.matmul = {op.op, op.signature, type}, .arithmetic = {type}};
    Targets targets({run_on("cpu", "A100", settings)});
    targets.learn_from(Probes({{1, time}}, {}));
    return targets.figures(op)->own;
  };
  constexpr const char* kTf32 = R"({"tf32_matmul":true})";
  EXPECT_EQ(own_of("", DType::Float), (Arithmetic{DType::Float, false}));
  EXPECT_EQ(own_of(kTf32, DType::Float), (Arithmetic{DType::Float, true}));
  EXPECT_EQ(own_of(kTf32, DType::Half), (Arithmetic{DType::Half, false}));
}

TEST(ComputedType, IsThatOfTheOutputWhereItIsKnown) {
  queries::OpRow op;
  op.dtype_in = DType::Float;
  EXPECT_EQ(computed_in(op), DType::Float);
  op.dtype_out = DType::Half;
  EXPECT_EQ(computed_in(op), DType::Half);
}

TEST(PaddingGain, NeedsATimeToCompareWith) {
  const auto gain = [](double before_us, double padded_us) {
    const Arithmetic half{DType::Half};
    ProbeTime before{.arithmetic = half, .timing = {.median_us = before_us}};
    ProbeTime padded{.arithmetic = half, .is_padded = true, .timing = {.median_us = padded_us}};
    return figures_of({before, padded}, half, false)->padding_gain;
  };
  EXPECT_EQ(gain(0.5, 0.25), 0.5);
  EXPECT_EQ(gain(0.5, 1.0), -1.0);
  EXPECT_EQ(gain(0.0, 1.0), std::nullopt);
}

TEST(MissedRules, AreSizesOfTodayOrOf2018) {
  rules::TensorCoreVerdict verdict;
  EXPECT_FALSE(misses_tensor_cores(verdict)) << "what cannot use them misses nothing";
  verdict.rule_today = rules::RuleToday::Inefficient;
  EXPECT_TRUE(misses_tensor_cores(verdict));
  verdict.rule_today = rules::RuleToday::Efficient;
  EXPECT_FALSE(misses_tensor_cores(verdict));
  verdict.rule_2018 = rules::Rule2018::NotAligned;
  EXPECT_TRUE(misses_tensor_cores(verdict));
  verdict.dims = {{"M", 3}, {"N", 64}};
  EXPECT_EQ(dimensions_of(verdict), "M = 3, N = 64");
}

}  // namespace targets_test
}  // namespace ampprof::analysis

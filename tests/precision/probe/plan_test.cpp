// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "precision/rules/verdict.h"

namespace ampprof::probe {
namespace plan_test {

constexpr Wanted kAlgorithms{};
constexpr Wanted kBoth{.algorithms = true, .times = true};

const ProbedMatmul kMm{"mm", "f16[64,33] f16[33,128]", DType::Half};
const ProbedMatmul kMm32{"mm", "f32[64,33] f32[33,128]", DType::Float};
const ProbedMatmul kConv{"conv2d", "f16[8,3,9,9] f16[64,3,3,3] stride=1 padding=1 dilation=1", DType::Half};

RecordedMatmul recorded(const ProbedMatmul& matmul, double time_us = 1, std::int64_t run = 1) {
  return {.run = run, .matmul = matmul, .has_tensor_cores = matmul.dtype == DType::Half, .time_us = time_us};
}

RecordedMatmul badly_sized(ProbedMatmul matmul) {
  RecordedMatmul of = recorded(matmul);
  of.faults = {{"K", 33, 40, 2}};
  return of;
}

/// Returns the runs of a plan in order: "mm fp16, mm fp16 padded, ...".
std::string text_of(const Plan& plan) {
  std::string text;
  for (std::size_t at = 0; at < plan.cases.size(); ++at) {
    const PlannedCase& planned = plan.cases[at];
    const auto place = std::ranges::find(plan.places, at, &CaseUse::at);
    text += (text.empty() ? "" : ", ") + place->matmul.op + ' ' + std::string(name_of(planned.what.arithmetic));
    if (place->is_padded) text += " padded";
    if (planned.what.cudnn_benchmark) text += " tried";
    if (planned.ask) text += " ask";
    if (!planned.time) text += " untimed";
  }
  return text;
}

TEST(ProbePlan, BeginsWithWhatTookLongest) {
  const Plan plan = plan_of(std::vector{recorded(kMm, 10), recorded(kConv, 30)}, kBoth);
  EXPECT_EQ(text_of(plan),
            "conv2d fp16, conv2d fp16 tried, conv2d bf16, conv2d bf16 tried, conv2d tf32, conv2d tf32 tried, "
            "conv2d fp32, conv2d fp32 tried, mm fp16 ask, mm bf16, mm tf32, mm fp32");
}

TEST(ProbePlan, TimesOfAllPlacesAddUp) {
  const std::vector matmuls{recorded(kConv, 30), recorded(kMm, 20), recorded(kMm, 20, 2)};
  EXPECT_TRUE(text_of(plan_of(matmuls, kBoth)).starts_with("mm"));
}

TEST(ProbePlan, TimesOfOneRunAddUpAndAreOneMatmul) {
  const Plan plan = plan_of(std::vector{recorded(kConv, 30), recorded(kMm, 20), recorded(kMm, 20)}, kBoth);
  EXPECT_TRUE(text_of(plan).starts_with("mm"));
  EXPECT_EQ(plan.places.size(), 12u);
}

TEST(ProbePlan, TimesAlone) {
  EXPECT_EQ(text_of(plan_of(std::vector{recorded(kMm)}, {.algorithms = false, .times = true})),
            "mm fp16, mm bf16, mm tf32, mm fp32");
  EXPECT_TRUE(plan_of(std::vector{recorded(kMm)}, {.algorithms = false, .times = false}).cases.empty());
}

TEST(ProbePlan, PadsInTheTypeThatTensorCoresTake) {
  EXPECT_TRUE(text_of(plan_of(std::vector{badly_sized(kMm)}, kBoth)).starts_with("mm fp16 ask, mm fp16 padded, "));
  EXPECT_EQ(text_of(plan_of(std::vector{badly_sized(kMm32)}, kBoth)),
            "mm fp32 ask, mm fp16 padded, mm fp16, mm bf16, mm tf32");
}

TEST(ProbePlan, TakesFp32AsTf32WhereTheRunAllowsIt) {
  RecordedMatmul of = recorded(kMm32);
  of.tf32_allowed = true;
  EXPECT_EQ(text_of(plan_of(std::vector{of}, kBoth)), "mm tf32 ask, mm fp16, mm bf16, mm fp32");
}

TEST(ProbePlan, AsksCublasLtAlone) {
  EXPECT_EQ(text_of(plan_of(std::vector{badly_sized(kMm), recorded(kConv)}, kAlgorithms)), "mm fp16 ask untimed");
}

TEST(ProbePlan, HasACaseOnceAndKnowsAllItsPlaces) {
  const Plan plan = plan_of(std::vector{recorded(kMm, 2, 1), recorded(kMm, 1, 2), recorded(kMm32, 1, 1)}, kBoth);
  EXPECT_EQ(plan.cases.size(), 4u) << text_of(plan);
  EXPECT_EQ(plan.places.size(), 12u);
  EXPECT_EQ(std::ranges::count_if(plan.places, [](const CaseUse& place) { return place.is_as_run; }), 3);
  EXPECT_EQ(std::ranges::count_if(plan.cases, [](const PlannedCase& planned) { return planned.ask; }), 2)
      << "FP16 and FP32 both ran";
}

TEST(ProbePlan, CountsWhatCannotBeMadeAgain) {
  const ProbedMatmul eight{"_scaled_mm", "f8e4m3[64,32] f8e4m3[32,128]", DType::Float8E4M3};
  const ProbedMatmul vague{"conv2d", "f16[8,3,9,9] f16[64,3,3,3]", DType::Half};
  const std::vector matmuls{recorded(eight, 1, 3), recorded(vague, 1, 3)};
  EXPECT_EQ(plan_of(matmuls, kBoth).left_out, (std::map<std::int64_t, std::int64_t>{{3, 2}}));
  EXPECT_EQ(plan_of(matmuls, kAlgorithms).left_out, (std::map<std::int64_t, std::int64_t>{{3, 1}}));
  EXPECT_TRUE(plan_of(matmuls, kBoth).cases.empty());
}

TEST(SizesToPad, AreWhatTheVerdictSays) {
  for (const DType dtype : {DType::Half, DType::Float}) {
    const auto verdict = rules::tensor_core_verdict("mm", Phase::Forward, signature_from(kMm.signature), dtype,
                                                    *gpu::device_caps("sm_90"));
    ASSERT_EQ(verdict->padded, "K = 40") << "by today's rule, and in FP32 by that of 2018";
    const auto faults = sizes_to_pad(verdict->findings);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].wanted, 40);
    EXPECT_EQ(faults[0].dimension, 2u);
  }
}

}  // namespace plan_test
}  // namespace ampprof::probe

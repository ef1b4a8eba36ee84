// SPDX-License-Identifier: Apache-2.0
#include "views/recipes/probes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/ops/targets.h"
#include "analysis/recipes/recipe_evidence.h"
#include "tests/cli/probed_report.h"
#include "tests/temporary_folder.h"
#include "tests/views/all_runs.h"
#include "views/gpu/views.h"
#include "views/view_source.h"

namespace ampprof::views {
namespace probes_test {

constexpr Arithmetic kHalf{DType::Half};
constexpr Arithmetic kFloat{DType::Float};

ProbeTime timed(Arithmetic arithmetic, double median_us, bool padded = false, std::optional<bool> benchmark = {}) {
  return {.arithmetic = arithmetic,
          .is_padded = padded,
          .cudnn_benchmark = benchmark,
          .timing = {.median_us = median_us},
          .device = "cpu"};
}

TEST(MatmulTimings, CompareInTheTypeThatWasPadded) {
  const auto figures =
      analysis::figures_of({timed(kFloat, 100), timed(kHalf, 40), timed(kHalf, 30, true)}, kFloat, false);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->as_run->median_us, 100);
  EXPECT_EQ(figures->fp32->median_us, 100);
  EXPECT_EQ(figures->padded->median_us, 30);
  EXPECT_EQ(figures->padding_gain, 0.25) << "of FP16's 40, not of FP32's 100";
  EXPECT_EQ(figures->bf16, std::nullopt);
}

TEST(MatmulTimings, AreThoseOfTheRunsOwnSwitch) {
  const std::vector times{timed(kHalf, 80, false, false), timed(kHalf, 40, false, true)};
  EXPECT_EQ(analysis::figures_of(times, kHalf, false)->as_run->median_us, 80);
  EXPECT_EQ(analysis::figures_of(times, kHalf, true)->as_run->median_us, 40);
  EXPECT_EQ(analysis::figures_of(times, kHalf, true)->times.size(), 2u) << "all are there";
}

TEST(MatmulTimings, AreAbsentWhereNothingWasReached) {
  EXPECT_EQ(analysis::figures_of({}, kHalf, false), std::nullopt);
  const auto figures = analysis::figures_of({timed(kHalf, 30, true)}, kHalf, false);
  EXPECT_EQ(figures->as_run, std::nullopt);
  EXPECT_EQ(figures->padding_gain, std::nullopt) << "there is nothing to compare it with";
}

TEST(ProbeGainCells, SaveNothingWithinTheNoiseOfTheTiming) {
  const auto tone_of = [](double padded_us, double spread_us) {
    ProbeTime padded = timed(kHalf, padded_us, true);
    padded.timing.spread_us = spread_us;
    const auto columns = probe_columns();
    const auto gain = std::ranges::find(columns, "probe.padding_gain", &ColumnOf<Probed>::key);
    return gain->cell({nullptr, analysis::figures_of({timed(kHalf, 100), padded}, kHalf, false)}).tone;
  };
  EXPECT_EQ(tone_of(80, 8), text::Tone::Good) << "a fifth, with a noise of a tenth";
  EXPECT_EQ(tone_of(50, 25), text::Tone::Plain) << "a half, with a noise of a half";
  EXPECT_EQ(tone_of(80, 24), text::Tone::Plain);
  EXPECT_EQ(tone_of(125, 5), text::Tone::Attention) << "a quarter more";
  EXPECT_EQ(tone_of(125, 50), text::Tone::Plain);
}

struct ProbedReport : testing::Test {
  ProbedReport() { cli::write_probed_report(folder_ / "r"); }

  Json row(const std::string& level, const std::string& site) {
    AllRuns opened(folder_ / "r");
    const View view = tensor_cores_view(opened.source().ops(), opened.source().targets);
    for (const Record& record : view.records) {
      if (record.json["level"] == level && record.json["call_site"] == site) return record.json;
    }
    ADD_FAILURE() << "missing: " << site;
    return {};
  }

  test_support::TemporaryFolder folder_;
};

TEST_F(ProbedReport, SaysWhatCublasLtWouldRunWhereNoKernelTells) {
  const Json half = row("O1", "classifier.fc/linear");
  EXPECT_EQ(half["tensor_core"]["executed"], "used");
  EXPECT_EQ(half["tensor_core"]["evidence"], "cublasLt: HMMA, sums in fp32, tile 128x256");
  EXPECT_EQ(half["cublaslt"]["waves"], 0.75);
  const Json full = row("O0", "classifier.fc/linear");
  EXPECT_EQ(full["tensor_core"]["executed"], "not_used");
  EXPECT_EQ(full["cublaslt"]["instruction"], "FMA");
  EXPECT_TRUE(full["probe"].is_null()) << "O0 was not timed";
}

TEST_F(ProbedReport, SaysWhyCublasLtHasNoAnswer) {
  const Json backward = row("O1", "backward classifier.fc/mm");
  EXPECT_EQ(backward["tensor_core"]["executed"], "unknown");
  EXPECT_EQ(backward["tensor_core"]["evidence"], "no kernel record");
  EXPECT_EQ(backward["cublaslt"]["failure"], "cublasLt has no algorithm for this GEMM");
  EXPECT_TRUE(backward["cublaslt"]["instruction"].is_null());
  EXPECT_TRUE(row("O1", "features.conv1/conv2d")["cublaslt"].is_null()) << "it is asked about GEMMs alone";
}

TEST_F(ProbedReport, HasMillisecondsOfTheRunsOwnSwitches) {
  const Json linear = row("O1", "classifier.fc/linear")["probe"];
  EXPECT_EQ(linear["device"], "NVIDIA H200");
  EXPECT_EQ(linear["type"], "fp16");
  EXPECT_EQ(linear["as_is_ms"], 0.064);
  EXPECT_EQ(linear["padded_ms"], 0.040);
  EXPECT_EQ(linear["padding_gain"], 0.375);
  EXPECT_EQ(linear["fp32_ms"], 0.512);
  const Json conv = row("O1", "features.conv1/conv2d")["probe"];
  EXPECT_EQ(conv["as_is_ms"], 0.4) << "the run had cudnn.benchmark on";
  EXPECT_TRUE(conv["fp32_ms"].is_null());
  EXPECT_EQ(conv["times"].size(), 5u);
  EXPECT_EQ(conv["times"][0]["cudnn_benchmark"], false);
  EXPECT_EQ(conv["times"][0]["sm_mhz_after"], 1965);
}

TEST_F(ProbedReport, EveryKeyIsInARecord) {
  AllRuns opened(folder_ / "r");
  const View view = tensor_cores_view(opened.source().ops(), opened.source().targets);
  const auto known = [](const Json& object, const std::string& key) {
    return object.is_object() && object.contains(key);
  };
  auto columns = cublaslt_columns();
  append(columns, probe_columns());
  for (const auto& column : columns) {
    const std::string key(column.key);
    const auto dot = key.find('.');
    EXPECT_TRUE(std::ranges::any_of(view.records, [&](const Record& record) {
      return known(record.json.at(key.substr(0, dot)), key.substr(dot + 1));
    })) << key;
  }
}

TEST_F(ProbedReport, HasTimesForAdviceAboutTheGpuThatTheyWereTakenOn) {
  AllRuns opened(folder_ / "r");
  const ViewSource& source = opened.source();
  const auto times_on = [&](const std::string& gpu) {
    return analysis::bf16_times(source.report, source.runs, analysis::gpu_for_recipes(gpu, ""));
  };
  const analysis::Bf16Times times = times_on("H200");
  ASSERT_EQ(times.size(), 1U) << "of the linear layer alone there is one in BF16";
  EXPECT_EQ(times.begin()->first.first, source.names().back().id);
  EXPECT_EQ(times.begin()->second, 66.0);
  EXPECT_TRUE(times_on("B200").empty());
}

}  // namespace probes_test
}  // namespace ampprof::views

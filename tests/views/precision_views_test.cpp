// SPDX-License-Identifier: Apache-2.0
// Tests the views of ranges, casts, impacts, weight updates and loss scales, and the advice that follows from a report.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "amp_core/policy/policy.h"
#include "analysis/diagnosis/advised_run.h"
#include "analysis/diagnosis/finding.h"
#include "precision/advice/code.h"
#include "reports/queries/casts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/queries/updates.h"
#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/statistics.h"
#include "reports/text/elide.h"
#include "tests/cli/synthetic_report.h"
#include "tests/reports/sample_report.h"
#include "views/diagnosis/advice.h"
#include "views/losses/views.h"
#include "views/ops/views.h"

namespace ampprof::views {
namespace precision_views_test {

class PrecisionViews : public testing::Test {
 protected:
  PrecisionViews() : report_(written(folder_ / "digits.ampprof")), runs_(queries::runs(report_)) {}

  static std::string dumped(const View& view, std::size_t row) { return view.records.at(row).json.dump(); }

  testing_reports::TemporaryFolder folder_;
  queries::Report report_;
  std::vector<queries::RunRow> runs_;

 private:
  static std::filesystem::path written(const std::filesystem::path& path) {
    cli::write_synthetic_report(path);
    return path;
  }
};

TEST_F(PrecisionViews, RangesOfOneOp) {
  View view = ranges_view(queries::ops(report_, 2));
  select(view, {.op = "convolution_backward"});
  EXPECT_EQ(dumped(view, 0),
            R"({"run":2,"level":"O1","call_site":"backward features.conv1/convolution_backward","phase":"backward",)"
            R"("module":"features.conv1","op":"convolution_backward","source":null,"dtype_out":"f16","scale":32768.0,)"
            R"("elements":12000,"amax":4.0,"reference_amax":4.0,"smallest":0.0,"headroom_log2":)" +
                Json(std::log2(65504.0 / 4)).dump() +
                R"(,"nonfinite":4,"nonfinite_expected":false,"rounds_to_inf_share":0.0,"subnormal_share":0.0,)"
                R"("rounds_to_zero_share":0.0,"exponents":{"lowest":-31,"counts":[30,90,0,0,0,0,0,0,0,0,0,0,0,0,0,0,)"
                R"(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,270,810]},"inherited_exponents":null,"call_sites":1})");
  EXPECT_EQ(view.records.at(0).cells.at(11).text, "  ▆       █     ") << "2^-31 and 2^2 among 2^-40 to 2^24";
}

TEST_F(PrecisionViews, ASparklineHasWhatLiesBeyondItsEndsInItsEnds) {
  queries::OpRow op;
  op.ranges = RangeStats{.count = 3};
  op.exponents.emplace();
  op.exponents->counts.front() = op.exponents->counts.back() = 1;
  const View view = ranges_view({op});
  EXPECT_EQ(view.records.at(0).cells.at(11).text, "█              █");
}

TEST_F(PrecisionViews, RangesPutTheLeastHeadroomFirst) {
  queries::OpRow near;
  near.ranges = RangeStats{.count = 4, .amax = 131008, .reference_amax = 131008, .rounds_to_inf = 1};
  queries::OpRow far = near;
  far.ranges->amax = far.ranges->reference_amax = 1;
  queries::OpRow unknown;
  unknown.dtype_out = near.dtype_out = far.dtype_out = DType::Half;
  queries::OpRow single = near;
  single.dtype_out = DType::Float;
  const View view = ranges_view({single, unknown, far, near});
  EXPECT_EQ(view.records.at(0).json.at("headroom_log2"), -1.0) << "one power of two too large";
  EXPECT_EQ(view.records.at(0).json.at("rounds_to_inf_share"), 0.25);
  EXPECT_EQ(view.records.at(0).cells.at(7).tone, text::Tone::Bad);
  EXPECT_TRUE(view.records.at(2).json.at("amax").is_null());
  EXPECT_EQ(view.records.at(3).json.at("dtype_out"), "f32") << "which it does not overflow";
}

TEST_F(PrecisionViews, SharesOfRangesStayBetween0And1) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> exponent(-70, 40);
  for (int round = 0; round < 200; ++round) {
    queries::OpRow op;
    op.ranges = RangeStats{.count = 20};
    op.exponents.emplace();
    const int infinities = round % 5;
    op.ranges->rounds_to_inf = infinities;
    for (int i = infinities; i < 20; ++i) {
      const double value = std::ldexp(1.0 + static_cast<double>(random() % 1024) / 1024.0, exponent(random));
      ++op.exponents->counts.at(ExponentHistogram::bin_of(std::ilogb(value) + 1));
      op.ranges->rounds_to_inf += value >= 65520 ? 1 : 0;
      op.ranges->subnormal += value < 0x1p-14 ? 1 : 0;
      op.ranges->rounds_to_zero += value <= 0x1p-25 ? 1 : 0;
    }
    const Json row = ranges_view({op}).records.at(0).json;
    for (const char* key : {"rounds_to_inf_share", "subnormal_share", "rounds_to_zero_share"}) {
      EXPECT_GE(row.at(key), 0.0) << key;
      EXPECT_LE(row.at(key), 1.0) << key;
    }
    EXPECT_NEAR(row.at("rounds_to_inf_share").get<double>(), static_cast<double>(op.ranges->rounds_to_inf) / 20, 0.05);
  }
}

TEST_F(PrecisionViews, CastsOfOneCallSite) {
  const View view = casts_view(queries::casts(report_));
  EXPECT_EQ(
      dumped(view, 0),
      R"({"run":2,"level":"O1","call_site":"features.conv1/conv2d","phase":"forward","module":"features.conv1",)"
      R"("op":"conv2d","source":"train.cpp:31","dtype_from":"f32","dtype_to":"f16","casts":36,"cache_hits":12,"bytes":12000,)"
      R"("cpu_us":24.0,"rounded_twice":0,"call_sites":1})");
  EXPECT_EQ(view.records.at(1).json.at("rounded_twice"), 48);
}

TEST_F(PrecisionViews, UpdatesOfOneParameter) {
  const View view = optimizer_view(queries::updates(report_));
  EXPECT_EQ(
      dumped(view, 0),
      R"({"run":2,"level":"O1","call_site":"optimizer features.conv1/add_.Tensor","source":null,)"
      R"("parameter":"features.conv1.weight","dtype":"f32","has_master":false,"elements":3168,"lost":792,"lost_share":0.25,)"
      R"("below_half_ulp":1584,"below_half_ulp_share":0.5,"mean_update_ulp":2.0})");
  EXPECT_TRUE(view.records.at(1).json.at("lost").is_null()) << "not a made-up 0";
}

TEST_F(PrecisionViews, ImpactsAndTheirSum) {
  const View view = impact_view(queries::impacts(report_));
  ASSERT_EQ(view.records.size(), 3u);
  EXPECT_EQ(
      dumped(view, 0),
      R"({"run":2,"level":"O1","loss_id":0,"source":"sum","name":"all roundings","module":"",)"
      R"("op":"","site_source":null,"rank":null,"tied":false,"estimate":null,"estimate_low":null,"estimate_high":null,)"
      R"("estimate_activation":null,"estimate_weight":null,"estimate_output":null,"self_check":null,)"
      R"("ranks_by_estimate":false,"gradient":"run","loss_impact":0.015380859375,"resolved":true,)"
      R"("loss_impact_rms":0.015380859375,"standard_error":0.0,)"
      R"("gradient_impact":null,"gradient_impact_share":null,"gradient_impact_size":null,)"
      R"("gradient_impact_is_ranking_only":false,"no_cotangents":0,"steps":11,)"
      R"("calls":12,"gaps":2,"gap_reason":"the gradient is not finite","call_sites":2})");
  EXPECT_EQ(
      dumped(view, 1),
      R"({"run":2,"level":"O1","loss_id":0,"source":"op","name":"features.conv1/conv2d",)"
      R"("module":"features.conv1","op":"conv2d","site_source":"train.cpp:31","rank":1,"tied":false,"estimate":null,)"
      R"("estimate_low":null,"estimate_high":null,"estimate_activation":null,"estimate_weight":null,)"
      R"("estimate_output":null,"self_check":null,"ranks_by_estimate":false,"gradient":"run",)"
      R"("loss_impact":0.015625,"resolved":true,"loss_impact_rms":0.015625,)"
      R"("standard_error":0.0,"gradient_impact":null,"gradient_impact_share":null,"gradient_impact_size":null,)"
      R"("gradient_impact_is_ranking_only":false,"no_cotangents":0,"steps":11,"calls":12,"gaps":1,"gap_reason":"the gradient is not finite",)"
      R"("call_sites":1})");
}

TEST_F(PrecisionViews, ScalesOfARun) {
  const View view = loss_scale_view(queries::runs_named(report_), queries::ops(report_), queries::scales(report_));
  const auto at = [&](double scale, const char* level) -> const Json& {
    for (const Record& record : view.records) {
      if (record.json.at("scale") == scale && record.json.at("level") == level) return record.json;
    }
    return view.records.at(0).json;
  };
  // At scale 32768, 90 of 2400 gradients have the exponent -30, which becomes -25 at 2^20 and -24 at 2^21. 30 further
  // gradients have the exponent -30 at scale 65536, that is -31 at scale 32768.
  EXPECT_EQ(at(65536, "O1").dump(),
            R"({"run":2,"level":"O1","loss_id":0,"scale":65536.0,"flushed_share":0.05,"subnormal_share":0.0,)"
            R"("would_overflow":false,"is_bound":true,"decisions":3,"overflows":1,"first_step":1,"last_step":3,)"
            R"("last_scale":32768.0,"scale_changed":true,"largest_safe_scale":536608768.0,"static_scale":16777216.0,)"
            R"("init_scale":16777216.0})");
  EXPECT_EQ(at(0x1p20, "O1").at("flushed_share"), 0.05);
  EXPECT_EQ(at(0x1p21, "O1").at("flushed_share"), 0.0125);
  EXPECT_EQ(at(0x1p21, "O1").at("subnormal_share"), 0.0375);
  EXPECT_EQ(at(0x1p22, "O1").at("flushed_share"), 0.0);
  EXPECT_EQ(at(32768, "O1").at("decisions"), 9);
}

TEST_F(PrecisionViews, ScalesWithoutHalfGradientsAreStillTold) {
  queries::ScaleRow row;
  row.run = 1;
  row.step = 4;
  row.update = {.loss_id = 2, .scale_before = 3, .scale_after = 3};
  const View view = loss_scale_view(queries::runs_named(report_), {}, {row});
  ASSERT_EQ(view.records.size(), 1u);
  EXPECT_EQ(view.records[0].json.at("loss_id"), 2);
  EXPECT_TRUE(view.records[0].json.at("flushed_share").is_null());
}

class Advised : public PrecisionViews {
 protected:
  advice::Advice advice() const { return analysis::advice_on(report_, runs_.at(1), runs_); }
};

TEST_F(Advised, HasTheKeysOfTheContract) {
  const Json json = to_json(advice(), {runs_.at(1).run, runs_.at(1).level});
  EXPECT_EQ(
      json.at("policy").dump(),
      R"([{"op":"conv2d","module":null,"precision":"fp32","because":"its expected loss impact is 0.016 (RMS), 100 )"
      R"(% of the total variance (total RMS 0.016).","loss_impact":0.015625,"overflows":0,"cost_us":0.0,)"
      R"("cast_bytes":0,"call_sites":["features.conv1/conv2d"],"sources":["train.cpp:31"]}])");
  EXPECT_EQ(json.at("predicted_loss_impact_after"), 0x1p-12);
  EXPECT_EQ(json.at("predicted_cost_us"), 0.0);
  EXPECT_EQ(json.at("basis"), "loss_impact");
  EXPECT_EQ(json.at("ranking").size(), 2u);
}

TEST_F(Advised, ChoosesTheRunThatRegistrationsCountFor) {
  EXPECT_EQ(analysis::run_to_advise(runs_)->level, "O1");
  std::vector<queries::RunRow> plain{runs_.at(0)};
  EXPECT_EQ(analysis::run_to_advise(plain), std::nullopt);
  plain[0].what_if = "fp16";
  EXPECT_EQ(analysis::run_to_advise(plain)->run, 1);
  queries::RunRow autocast;
  autocast.run = 7;
  autocast.reduced_type = DType::BFloat16;
  EXPECT_EQ(analysis::run_to_advise({autocast}), std::nullopt) << "half tensors: no policy reaches what nothing casts";
  autocast.casts = 4;
  queries::RunRow half_model;
  half_model.level = "O2";
  half_model.run = 8;
  EXPECT_EQ(analysis::run_to_advise({half_model, plain[0], autocast})->run, 7) << "whoever brought the type";
  EXPECT_EQ(analysis::run_to_advise({half_model, plain[0]})->run, 1);
  EXPECT_EQ(analysis::run_to_advise({half_model})->run, 8);
  queries::RunRow compiled = runs_.at(1);
  compiled.has_compiled_regions = true;
  EXPECT_EQ(analysis::run_to_advise({compiled, half_model})->run, 8) << "its functions are not told apart";
  EXPECT_EQ(analysis::run_to_advise({plain[0], compiled})->run, 1);
  EXPECT_EQ(analysis::run_to_advise({compiled})->run, compiled.run);
}

TEST_F(Advised, FitsItsTerminal) {
  for (const int width : {80, 160}) {
    std::istringstream lines(
        formatted(advice(), {}, {runs_.at(1).run, runs_.at(1).level}, Format::Table, {.width = width}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(text::display_width(line), width) << line;
  }
}

TEST_F(Advised, IsAPolicyThatARunTakes) {
  const std::string text = policy_file(advice());
  EXPECT_EQ(amp::parse_policy(text, "advice").rules,
            (std::vector<amp::CastRule>{{"conv2d", amp::CastPolicy::Fp32, ""}}));
}

}  // namespace precision_views_test
}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
// Tests single rows of views: the order of rows, and cells that the synthetic reports do not have.
#include <gtest/gtest.h>

#include <limits>

#include "analysis/ops/targets.h"
#include "reports/queries/events.h"
#include "reports/queries/gaps.h"
#include "reports/queries/gpu_activities.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/queries/recipes.h"
#include "reports/queries/runs.h"
#include "reports/queries/stale_casts.h"
#include "reports/queries/updates.h"
#include "views/events/views.h"
#include "views/gpu/views.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/recipes/probes.h"
#include "views/recipes/views.h"
#include "views/runs/views.h"

namespace ampprof::views {
namespace lines_of_views_test {

std::string cell(const View& view, std::size_t row, std::string_view key) {
  const auto column = std::ranges::find(view.columns, key, &Column::key);
  return view.records.at(row).cells.at(static_cast<std::size_t>(column - view.columns.begin())).text;
}

TEST(ShortSite, AbbreviatesTheMarkOfThePhase) {
  EXPECT_EQ(short_site("conv1/conv2d", Phase::Forward), "conv1/conv2d");
  EXPECT_EQ(short_site("backward conv1/mm", Phase::Backward), "bwd conv1/mm");
  EXPECT_EQ(short_site("recompute conv1/mm", Phase::Recompute), "recompute conv1/mm");
  EXPECT_EQ(short_site("optimizer add_", Phase::Optimizer), "opt add_");
  EXPECT_EQ(short_site("inference conv1/mm", Phase::Inference), "eval conv1/mm");
  EXPECT_EQ(short_site("backwards/mm", Phase::Backward), "backwards/mm");
  EXPECT_EQ(short_site("a\033/mm", Phase::Forward), "a?/mm");
}

TEST(TypeNames, AreMixedWhereSeveralCallSitesDiffer) {
  EXPECT_EQ(type_name(DType::Unknown, 2), "mixed");
  EXPECT_EQ(type_name(DType::Unknown, 1), short_name(DType::Unknown));
  EXPECT_EQ(type_name(DType::Half, 2), "f16");
}

queries::OpRow op_with_impact(std::optional<double> mean, std::optional<double> rms) {
  queries::OpRow op;
  op.loss_impact = mean;
  op.loss_impact_rms = op.loss_impact_size = rms;
  return op;
}

TEST(OpsView, ShowsTheMeanImpactWhereTheRootMeanSquareIsNotKnown) {
  const auto impact = [](std::optional<double> mean, std::optional<double> rms) {
    return cell(ops_view({op_with_impact(mean, rms)}, analysis::Targets({})), 0, "loss_impact_size");
  };
  EXPECT_EQ(impact(0.25, 0.5), "5.0e-01");
  EXPECT_EQ(impact(0.25, {}), "+2.5e-01");
  EXPECT_EQ(impact(-0.25, {}), "-2.5e-01");
  EXPECT_EQ(impact(0.0, {}), "0");
  EXPECT_EQ(impact({}, {}), "-");
}

TEST(OpsView, MarksCountsFromOneOn) {
  queries::OpRow op;
  op.ranges = RangeStats{.count = 4, .nonfinite = 1, .rounds_to_inf = 1};
  op.local = ErrorStats{.count = 4, .flushed = 1};
  const View view = ops_view({op, {}}, analysis::Targets({}));
  std::vector<std::string> bad;
  std::vector<std::string> attention;
  for (std::size_t i = 0; i < view.columns.size(); ++i) {
    if (view.records.at(0).cells[i].tone == text::Tone::Bad) bad.push_back(view.columns[i].key);
    if (view.records.at(0).cells[i].tone == text::Tone::Attention) attention.push_back(view.columns[i].key);
  }
  EXPECT_EQ(bad, std::vector<std::string>{"nonfinite"});
  EXPECT_EQ(attention, (std::vector<std::string>{"flushed", "rounds_to_inf"}));
  EXPECT_EQ(cell(view, 1, "nonfinite"), "-");
}

TEST(TensorCoresView, SortsMatmulsWithoutARemedyBeforeGoodOnes) {
  queries::RunRow run;
  run.run = 1;
  run.target_gpu = "A100";
  const auto matmul = [](const char* name, const char* op, const char* signature) {
    queries::OpRow row;
    row.run = 1;
    row.call_site = name;
    row.op = op;
    row.dtype_out = DType::Half;
    row.signature = signature;
    return row;
  };
  const View view = tensor_cores_view(
      {matmul("well", "mm", "f16[64,64] f16[64,64]"),
       matmul("depthwise", "conv2d", "f16[32,64,56,56] f16[64,1,3,3] stride=1 padding=1 dilation=1 groups=64"),
       matmul("off", "mm", "f16[64,33] f16[33,64]")},
      analysis::Targets({run}));
  std::vector<std::string> order;
  for (const Record& record : view.records) order.push_back(record.json.at("call_site"));
  EXPECT_EQ(order, (std::vector<std::string>{"depthwise", "off", "well"}));
  EXPECT_EQ(view.records.at(0).json.at("tensor_core").at("dtype_ok"), true);
  EXPECT_EQ(cell(view, 0, "tensor_core.why"), "depthwise");
  EXPECT_EQ(cell(view, 1, "tensor_core.padded"), "K = 64");
}

TEST(TensorCoresView, AdvisesNoPaddingWhereTheTypeIsTheObstacle) {
  queries::RunRow run;
  run.run = 1;
  run.target_gpu = "T4";
  queries::OpRow op;
  op.run = 1;
  op.op = "mm";
  op.signature = "f32[64,33] f32[33,64]";
  op.dtype_out = DType::Float;
  const View view = tensor_cores_view({op}, analysis::Targets({run}));
  EXPECT_EQ(cell(view, 0, "tensor_core.why"), "no FP32 on T4");
  EXPECT_EQ(cell(view, 0, "tensor_core.padded"), "-");
  EXPECT_EQ(cell(view, 0, "tensor_core.padding_cost"), "-");
  EXPECT_EQ(text_at(view, view.records[0], "tensor_core.padded"), "K = 40") << "--probe times these sizes in FP16";
}

TEST(RangesView, KnowsAHeadroomWithoutShares) {
  queries::OpRow op;
  op.ranges = RangeStats{.count = 4, .amax = 65504.0 / 4, .subnormal = 1};
  op.exponents.emplace();
  const View view = ranges_view({op});
  EXPECT_EQ(view.records.at(0).json.at("headroom_log2"), 2.0);
  EXPECT_EQ(cell(view, 0, "headroom_log2"), "2.0") << "as many decimals as all others";
  EXPECT_TRUE(view.records.at(0).json.at("subnormal_share").is_null()) << "no value is not zero";
  EXPECT_EQ(view.records.at(0).json.at("exponents").dump(), R"({"lowest":null,"counts":[]})");
  EXPECT_EQ(cell(view, 0, "exponents"), std::string(16, ' '));
}

TEST(RangesView, IsBadFromBelowTheLargestHalfOn) {
  const auto tone = [](double amax) {
    queries::OpRow op;
    op.ranges = RangeStats{.count = 1, .amax = amax};
    const View view = ranges_view({op});
    const auto column = std::ranges::find(view.columns, "headroom_log2", &Column::key) - view.columns.begin();
    return view.records.at(0).cells.at(static_cast<std::size_t>(column)).tone;
  };
  EXPECT_EQ(tone(65504), text::Tone::Plain);
  EXPECT_EQ(tone(65504 * 1.5), text::Tone::Bad);
  EXPECT_EQ(tone(65504 / 1.5), text::Tone::Plain);
  EXPECT_EQ(tone(0), text::Tone::Plain) << "nothing is known";
}

TEST(RangesView, PutsJudgedAndReducedOutputsBeforeOthersThenByHeadroom) {
  const auto output = [](const char* name, DType type, double amax, bool is_judged) {
    queries::OpRow op;
    op.call_site = name;
    op.dtype_out = type;
    op.ranges = RangeStats{.count = 1, .amax = amax};
    if (is_judged) op.local = ErrorStats{};
    return op;
  };
  const View view = ranges_view({output("full", DType::Float, 60000, false), output("unknown", DType::Half, 0, false),
                                 output("half", DType::Half, 100, false), output("judged", DType::Float, 1000, true)});
  std::vector<std::string> order;
  for (const Record& record : view.records) order.push_back(record.json.at("call_site"));
  EXPECT_EQ(order, (std::vector<std::string>{"judged", "half", "unknown", "full"}));
}

TEST(OpsView, OfAReportWithoutOpCallsSaysWhereTheReasonIs) {
  const View view = ops_view({}, analysis::Targets({}));
  EXPECT_EQ(view.none, "The report holds no op call.");
  EXPECT_EQ(view.remedy, "For the reason, see the view missing.");
}

TEST(KernelsView, SharesNothingWhereNoTimeIsKnown) {
  queries::GpuActivityRow row;
  row.use = {.name = "memset", .kind = GpuActivityKind::Memset};
  EXPECT_EQ(kernels_view({row}, {}).records.at(0).json.at("share"), 0.0);
  row.use.gpu_us = 0.25;
  row.use.count = 2;
  const View view = kernels_view({row, row}, {});
  EXPECT_EQ(view.records.at(0).json.at("share"), 1.0) << "of less than a microsecond, too";
  const auto mean = std::ranges::find(view.columns, "mean", &Column::title) - view.columns.begin();
  EXPECT_EQ(view.records.at(0).cells.at(static_cast<std::size_t>(mean)).text, "0.125 µs");
}

queries::GapRow gap_of(double idle_us, std::optional<double> unlaunched_us) {
  queries::GapRow row;
  row.gaps = 2;
  row.idle_us = idle_us;
  row.unlaunched_us = unlaunched_us;
  return row;
}

TEST(IdleView, SharesTheIdleTimeOfTheRun) {
  queries::GapRow other = gap_of(9, {});
  other.run = 2;
  const View view = idle_view({gap_of(1, {}), gap_of(3, 0.75), other});
  EXPECT_EQ(view.records.at(0).json.at("share"), 1.0) << "the other run comes first, for it idles longest";
  EXPECT_EQ(view.records.at(1).json.at("share"), 0.75);
  EXPECT_EQ(view.records.at(2).json.at("share"), 0.25);
  EXPECT_EQ(cell(view, 1, "unlaunched_us"), "25%");
  EXPECT_EQ(cell(view, 2, "unlaunched_us"), "-");
  EXPECT_EQ(idle_view({gap_of(0.25, {}), gap_of(0.5, {})}).records.at(1).json.at("share"), 1.0 / 3);
  queries::GapRow no_gap = gap_of(0, 0.0);
  no_gap.gaps = 0;
  const View none = idle_view({no_gap});
  const auto mean = std::ranges::find(none.columns, "mean", &Column::title) - none.columns.begin();
  EXPECT_EQ(none.records.at(0).cells.at(static_cast<std::size_t>(mean)).text, "0 µs");
  EXPECT_EQ(none.records.at(0).json.at("share"), 0.0);
  EXPECT_EQ(cell(none, 0, "unlaunched_us"), "-") << "nothing has no share";
}

TEST(OptimizerView, PutsTheLargestShareOfLostUpdatesFirst) {
  const auto update = [](const char* name, std::optional<std::int64_t> lost, std::int64_t below, std::int64_t count) {
    queries::UpdateRow row;
    row.total = {.parameter = name, .count = count, .lost = lost, .below_half_ulp = below, .sum_ulp = 6};
    return row;
  };
  queries::UpdateRow copy = update("copy", 4, 4, 4);
  copy.has_master = true;
  const View view =
      optimizer_view({update("none", {}, 0, 0), update("kept", 0, 1, 4), update("unknown", {}, 3, 4),
                      update("lost", 1, 0, 4), update("smaller", 0, 3, 4), update("whole", {}, 0, 4), copy});
  std::vector<std::string> order;
  for (const Record& record : view.records) order.push_back(record.json.at("parameter"));
  EXPECT_EQ(order, (std::vector<std::string>{"lost", "smaller", "kept", "unknown", "whole", "none", "copy"}));
  EXPECT_EQ(view.records.at(0).json.at("mean_update_ulp"), 1.5);
  EXPECT_TRUE(view.records.at(5).json.at("mean_update_ulp").is_null());
  EXPECT_TRUE(view.records.at(5).json.at("below_half_ulp_share").is_null());
}

TEST(GradientsView, PutsWhatHoldsMostOfTheErrorFirst) {
  const auto gradient = [](const char* name, std::optional<double> share, std::optional<double> error,
                           std::optional<double> noise) {
    queries::GradientErrorRow row;
    row.parameter = name;
    row.steps = 2;
    row.share = share;
    row.relative = error;
    row.noise = noise;
    return row;
  };
  const View view = gradients_view({gradient("unknown", {}, {}, {}), gradient("nearly 0", 0.1, 30.0, 1.0),
                                    gradient("half", 0.5, 0.25, 0.5), gradient("one step", 0.4, 0.25, {})});
  std::vector<std::string> order;
  for (const Record& record : view.records) order.push_back(record.json.at("parameter"));
  EXPECT_EQ(order, (std::vector<std::string>{"half", "one step", "nearly 0", "unknown"}));
  EXPECT_EQ(view.records.at(0).json.at("error_over_noise"), 0.5);
  EXPECT_TRUE(view.records.at(1).json.at("error_over_noise").is_null());
  EXPECT_EQ(cell(view, 3, "cosine"), "-");
}

TEST(GradientsView, ShowsASmallAngleAsWhatItLacksToOne) {
  queries::GradientErrorRow row;
  row.cosine = 1 - 0x1p-20;
  row.flushed = 0.25;
  const View view = gradients_view({row});
  EXPECT_EQ(cell(view, 0, "cosine"), "9.5e-07");
  EXPECT_EQ(cell(view, 0, "flushed_share"), "25%");
  row.cosine = 1 + 0x1p-20;
  EXPECT_EQ(cell(gradients_view({row}), 0, "cosine"), "0") << "a sum that was rounded";
  EXPECT_TRUE(gradients_view({}).said.empty());
}

TEST(GradientsView, IsSortedByRunAndSaysSo) {
  queries::GradientErrorRow first;
  first.run = 1;
  first.share = 0.25;
  queries::GradientErrorRow second = first;
  second.run = 2;
  second.share = 0.75;
  EXPECT_EQ(gradients_view({second}).order, "Sorted by share of the error of all gradients, the largest first.");
  const View both = gradients_view({second, first});
  EXPECT_EQ(both.order, "Sorted by run, then by share of the error of all gradients, the largest first.");
  EXPECT_EQ(cell(both, 0, "share_of_error"), "25%");
}

queries::RecipeMatmulRow recipe_row(Matmul matmul, std::vector<StepImpact> steps) {
  queries::RecipeMatmulRow row;
  row.recipe = "mxfp8";
  row.matmul = matmul;
  row.call_site = "fc/linear";
  row.rows = row.columns = row.leading = 32;
  row.calls = 1;
  row.first = {.count = 4, .flushed = 1, .sum_sq = 100.0, .sum_sq_error = 1.0};
  row.sum_sq_exact = 4.0;
  row.sum_sq_error = 1.0;
  row.by_step = std::move(steps);
  return row;
}

TEST(LossesView, TellsRunsOfOneLevelApart) {
  const auto at = [](std::int64_t run, const char* level) {
    return queries::LossRow{.run = run, .level = level, .step = 1, .loss = {}};
  };
  const View view = losses_view({at(1, "O0"), at(2, "O1"), at(3, "O1"), at(3, "O1"), at(4, "")});
  EXPECT_EQ(cell(view, 0, "level"), "O0");
  EXPECT_EQ(cell(view, 1, "level"), "O1 (2)");
  EXPECT_EQ(cell(view, 2, "level"), "O1 (3)");
  EXPECT_EQ(cell(view, 4, "level"), "4") << "a number alone";
  EXPECT_EQ(view.records.at(1).json.at("level"), "O1") << "for people alone";
}

TEST(LossesView, AlignsLossesAtThePoint) {
  const auto of = [](double loss) {
    queries::LossRow row{.run = 1, .level = "O1", .step = 1, .loss = {}};
    row.loss.value = loss;
    return row;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const View view = losses_view({of(2.34986258), of(1.25), of(nan), of(0.0921579525), of(0), of(1e-12)});
  EXPECT_EQ(cell(view, 0, "loss"), "2.34986258");
  EXPECT_EQ(cell(view, 1, "loss"), "1.25000000");
  EXPECT_EQ(cell(view, 2, "loss"), "nan");
  EXPECT_EQ(cell(view, 3, "loss"), "0.09215795") << "JSON has all its digits";
  EXPECT_EQ(cell(view, 4, "loss"), "0.00000000");
  EXPECT_EQ(cell(view, 5, "loss"), "1e-12") << "it is not 0";
  EXPECT_EQ(cell(losses_view({of(12), of(0.5)}), 0, "loss"), "12.0") << "no more decimals than needed";
}

TEST(RecipesView, PutsFpropFirstAndWhatIsLeftLast) {
  const std::vector<StepImpact> small{{1, 0.25, 0.0625}, {2, 0.25, 0.0625}}, large{{1, -4.0, 16.0}, {2, -4.0, 16.0}};
  queries::RecipeMatmulRow left = recipe_row(Matmul::Fprop, {});
  left.is_quantized = false;
  left.reason = "Stays BF16.";
  const View view = recipes_view({left, recipe_row(Matmul::Wgrad, large), recipe_row(Matmul::Fprop, small)});
  EXPECT_EQ(cell(view, 0, "matmul"), "fprop");
  EXPECT_EQ(cell(view, 0, "impact"), "+2.5e-01");
  EXPECT_EQ(cell(view, 0, "first_sqnr_db"), "20 dB");
  EXPECT_EQ(cell(view, 0, "first_flushed_share"), "25%");
  EXPECT_EQ(view.records.at(0).json.at("relative_error"), 0.5);
  EXPECT_EQ(view.records.at(0).json.at("changes"), "loss");
  EXPECT_EQ(view.records.at(1).json.at("changes"), "decrease");
  EXPECT_EQ(cell(view, 2, "reason"), "not quantized: Stays BF16.");
  EXPECT_TRUE(view.records.at(2).json.at("relative_error").is_null());
}

TEST(RecipesView, SaysWhatARecipeComesTo) {
  queries::RecipeMatmulRow left = recipe_row(Matmul::Fprop, {});
  left.is_quantized = false;
  const View view = recipes_view({left, recipe_row(Matmul::Fprop, {{1, 0.5, 1.0}, {2, 0.25, 1.0}})});
  ASSERT_FALSE(view.said.empty());
  EXPECT_NE(view.said[0].text.find("mxfp8: 50% of the matmuls' FLOPs are quantized"), std::string::npos)
      << view.said[0].text;
  EXPECT_NE(view.said[0].text.find("changes the loss by +3.8e-01 ± 1.2e-01"), std::string::npos) << view.said[0].text;
}

TEST(RecipesView, TellsTheLossItselfAndWhatTheSumOverMatmulsMisses) {
  const queries::RecipeMatmulRow row = recipe_row(Matmul::Fprop, {{1, 0.5, 1.0}, {2, 0.25, 1.0}});
  const auto said = [&](double first, double second) {
    return recipes_view({row}, {{.run = row.run, .step = 1, .change = first},
                                {.run = row.run, .step = 2, .change = second},
                                {.run = row.run + 1, .step = 1, .change = 100.0}})
        .said.at(0)
        .text;
  };
  EXPECT_NE(said(0.52, 0.26).find("changes the loss by +3.9e-01 ± 1.3e-01."), std::string::npos) << said(0.52, 0.26);
  EXPECT_NE(said(1.0, 0.5).find("changes the loss by +7.5e-01 ± 2.5e-01 (sum over its matmuls: +3.8e-01 ± 1.2e-01, "
                                "off by 50%)."),
            std::string::npos)
      << said(1.0, 0.5);
}

TEST(ImpactView, PutsWhatIsNotKnownLastAndShowsSigns) {
  const auto impact = [](const char* name, std::optional<double> mean, std::optional<double> rms) {
    queries::ImpactRow row;
    row.name = name;
    row.impact = mean;
    row.impact_rms = rms;
    row.source = ImpactSource::Input;
    return row;
  };
  const View view = impact_view(
      {impact("unknown", {}, {}), impact("nothing", 0.0, 0.0), impact("mean", -0.5, {}), impact("rms", 0.25, 0.75)});
  std::vector<std::string> shown;
  for (std::size_t i = 1; i < view.records.size(); ++i) {
    shown.push_back(cell(view, i, "name") + ' ' + cell(view, i, "loss_impact") + ' ' + cell(view, i, "source"));
  }
  EXPECT_EQ(shown, (std::vector<std::string>{"rms +2.5e-01 input", "mean -5.0e-01 input", "nothing 0 input",
                                             "unknown - input"}));
  EXPECT_EQ(view.records.at(0).json.at("call_sites"), 4);
  EXPECT_EQ(cell(view, 1, "gaps"), "-");
}

TEST(EventsView, SaysWhatIsUnknown) {
  queries::EventRow event;
  event.largest_safe_scale = 8;
  const auto shown = [&](const char* key) { return cell(events_view({event}), 0, key); };
  EXPECT_EQ(shown("first_op"), "unknown");
  EXPECT_EQ(shown("parameters"), "-");
  EXPECT_EQ(shown("largest_safe_scale"), "<= 8");
  event.largest_safe_scale_is_bound = false;
  EXPECT_EQ(shown("largest_safe_scale"), "8");
  event.largest_safe_scale.reset();
  event.largest_safe_scale_is_bound = true;
  EXPECT_EQ(shown("largest_safe_scale"), "-");
  event.first_op = "backward fc/mm";
  EXPECT_EQ(shown("first_op"), "backward fc/mm") << "its phase is not known";
  event.first_op_phase = Phase::Backward;
  EXPECT_EQ(shown("first_op"), "bwd fc/mm");
  event.parameters.resize(2);
  event.parameters[0].name = "a";
  event.parameters[1].name = "b";
  EXPECT_EQ(shown("parameters"), "a, b");
}

TEST(RunsView, TellsHowARunEnded) {
  const auto ending = [](bool complete, std::optional<int> exit_code) {
    queries::RunRow run;
    run.complete = complete;
    run.exit_code = exit_code;
    const Cell shown = runs_view({run}).records.at(0).cells.back();
    return shown.text + (shown.tone == text::Tone::Bad         ? " bad"
                         : shown.tone == text::Tone::Attention ? " attention"
                                                               : "");
  };
  EXPECT_EQ(ending(true, 0), "yes");
  EXPECT_EQ(ending(false, 0), "exit 0 attention");
  EXPECT_EQ(ending(true, 3), "exit 3 bad");
  EXPECT_EQ(ending(true, {}), "no attention");
  queries::RunRow run;
  run.settings_json = "{";
  EXPECT_EQ(runs_view({run}).records.at(0).json.at("settings"), "{") << "text that is not JSON stays text";
  run.nonfinite_ops = 1;
  EXPECT_EQ(cell(runs_view({run}), 0, "nonfinite_ops"), "1");
  EXPECT_EQ(cell(runs_view({run}), 0, "level"), "-");
}

TEST(ProbeCells, ShowTheSpreadWhereThereIsATime) {
  const auto columns = probe_columns();
  const auto shown = [&](std::string_view key, const analysis::MatmulTimings& figures) {
    return std::ranges::find(columns, key, &ColumnOf<Probed>::key)->cell({nullptr, figures});
  };
  const auto as_is = [&](double median_us, double spread_us) {
    return shown("probe.as_is_ms", {.as_run = Timing{.median_us = median_us, .spread_us = spread_us}}).text;
  };
  EXPECT_EQ(as_is(0.5, 0.125), "0.500 µs ±25%");
  EXPECT_EQ(as_is(0, 0.125), "0 µs");
  analysis::MatmulTimings figures{.own = {DType::Float}, .padded = Timing{.median_us = 4}};
  EXPECT_EQ(shown("probe.padded_ms", figures).text, "4 µs");
  figures.padded_in = {DType::Half};
  EXPECT_EQ(shown("probe.padded_ms", figures).text, "4 µs (fp16)") << "another type than the run's";
  figures.own = {DType::Half};
  EXPECT_EQ(shown("probe.padded_ms", figures).text, "4 µs");
  EXPECT_EQ(shown("probe.padding_gain", figures).text, "-");
  figures.padding_gain = 0.0;
  EXPECT_EQ(shown("probe.padding_gain", figures).text, "0%");
  figures.padding_gain = -0.5;
  EXPECT_EQ(shown("probe.padding_gain", figures).text, "-50%");
}

TEST(StaleCastsView, PutsTheLargestChangeFirst) {
  queries::StaleCastRow row;
  row.call_site = "fc/linear";
  row.total = {.parameter = "fc.weight",
               .dtype = DType::BFloat16,
               .elements = 8,
               .differing = 2,
               .sum_sq_change = 1,
               .sum_sq_cast = 4};
  queries::StaleCastRow nameless = row;
  nameless.total.parameter = "";
  nameless.total.sum_sq_cast = 0;
  const View view = stale_casts_view({row, nameless});
  EXPECT_EQ(cell(view, 0, "parameter"), "-");
  EXPECT_EQ(cell(view, 0, "relative_change"), "inf");
  EXPECT_EQ(cell(view, 1, "parameter"), "fc.weight");
  EXPECT_EQ(cell(view, 1, "relative_change"), "5.0e-01");
  EXPECT_EQ(cell(view, 1, "differing_share"), "25%");
  EXPECT_EQ(view.records.at(0).json.at("parameter"), nullptr);
}

}  // namespace lines_of_views_test
}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/evaluate.h"

#include <gtest/gtest.h>

#include <limits>

#include "reports/gates/occasion.h"
#include "reports/gates/parser.h"
#include "reports/gates/predicted_loss_change.h"
#include "reports/queries/impacts.h"
#include "tests/reports/gates/evidence_builder.h"

namespace ampprof::gates {
namespace evaluate_test {

/// The evidence of a run at O0 and two repeats at O1. The second repeat is slower and overflows more often.
class Evaluate : public testing::Test {
 protected:
  Evaluate() {
    runs_ = {a_run("O0", 1), a_run("O1", 2), a_run("O1", 3)};
    runs_[0].run.overflow_events = 0;
    runs_[0].run.ms_per_step = 64;
    runs_[2].run.ms_per_step = 48;
    runs_[2].run.overflow_events = 5;
  }

  GateResult judged(const std::string& rule) const {
    const Runs all{&runs_[0], &runs_[1], &runs_[2]};
    return judge(parse_rule(rule),
                 {{.label = "O0", .b = {{&runs_[0]}, all}}, {.label = "O1", .b = {{&runs_[1], &runs_[2]}, all}}});
  }
  GateOutcome outcome(const std::string& rule) const { return judged(rule).outcome; }

  std::vector<RunEvidence> runs_;
};

TEST_F(Evaluate, HasToHoldAtEveryLevel) {
  EXPECT_EQ(outcome("overflows <= 5"), GateOutcome::Pass);
  EXPECT_EQ(outcome("overflows <= 4"), GateOutcome::Fail) << "one repeat has 5: the median would hide it";
  const GateResult result = judged("overflows == 0");
  ASSERT_EQ(result.comparisons.size(), 2u);
  EXPECT_EQ(result.comparisons[0].occasion, "O0");
  EXPECT_EQ(result.comparisons[0].outcome, GateOutcome::Pass);
  EXPECT_EQ(result.comparisons[1].left, 5.0);
  EXPECT_EQ(result.comparisons[1].outcome, GateOutcome::Fail);
}

TEST_F(Evaluate, IsDoneOnceWhereTheRuleNamesItsLevels) {
  const GateResult result = judged("ms_per_step(O1) < 0.8 * ms_per_step(O0)");
  EXPECT_EQ(result.outcome, GateOutcome::Pass);
  ASSERT_EQ(result.comparisons.size(), 1u);
  EXPECT_EQ(result.comparisons[0].left, 40.0) << "the median of the repeats";
  EXPECT_EQ(result.comparisons[0].right, 0.8 * 64);
  EXPECT_EQ(result.comparisons[0].occasion, "");
  EXPECT_EQ(outcome("ms_per_step(3) == 48"), GateOutcome::Pass) << "a run by its id";
}

TEST_F(Evaluate, FailsWhatIsUnknown) {
  EXPECT_EQ(outcome("final_loss(O2) < 1"), GateOutcome::Unknown);
  EXPECT_EQ(judged("final_loss(O2) < 1").comparisons[0].reason, "the report has no run 'O2'");
  EXPECT_EQ(outcome("final_loss(O2) < 1 or final_loss(O1) < 1"), GateOutcome::Unknown) << "never silently";
  EXPECT_EQ(outcome("final_loss(O2) < 1 and final_loss(O1) > 1"), GateOutcome::Fail);
  EXPECT_EQ(outcome("initial_loss > 0"), GateOutcome::Unknown);
  EXPECT_EQ(outcome("0 * initial_loss == 0"), GateOutcome::Unknown);
  EXPECT_EQ(outcome("local_rel_l2(nothing*) < 1"), GateOutcome::Unknown);
  EXPECT_EQ(outcome("inherited_rel_l2(O1) < 1"), GateOutcome::Unknown) << "it was not measured";
  EXPECT_FALSE(judged("initial_loss > 0").passed());
  runs_[2].run.final_loss = std::nullopt;
  EXPECT_EQ(outcome("final_loss(O1) < 1"), GateOutcome::Unknown) << "one of the repeats";
}

TEST_F(Evaluate, PassesNothingThatHoldsNowhere) {
  EXPECT_EQ(judge(parse_rule("overflows == 0"), {}).outcome, GateOutcome::Unknown);
  EXPECT_EQ(outcome("local_rel_l2(O0) < 1"), GateOutcome::Unknown) << "FP32 has no local error";
}

TEST_F(Evaluate, LeavesOutLevelsInFullPrecision) {
  const GateResult result = judged("local_rel_l2(conv*) < 1e-2");
  EXPECT_EQ(result.outcome, GateOutcome::Pass);
  EXPECT_EQ(result.comparisons[0].outcome, GateOutcome::DoesNotApply);
  EXPECT_EQ(outcome("local_rel_l2(conv*) < 1e-2 and overflows == 0"), GateOutcome::Fail) << "the other half applies";
}

TEST_F(Evaluate, ChoosesCallSites) {
  EXPECT_EQ(judged("local_rel_l2(O1) < 1").comparisons[0].left, 0x1p-8);
  EXPECT_EQ(judged("local_rel_l2(O1, forward) < 1").comparisons[0].left, 0x1p-10);
  EXPECT_EQ(judged("local_rel_l2(O1, linear) < 1").comparisons[0].left, 0x1p-11) << "an op";
  EXPECT_EQ(judged("local_rel_l2(O1, fc) < 1").comparisons[0].left, 0x1p-11) << "a module";
  EXPECT_EQ(judged("local_rel_l2(O1, fc/lin*) < 1").comparisons[0].left, 0x1p-11) << "both";
  runs_[1].sites[1].op.call_site = runs_[2].sites[1].op.call_site = "fc/linear#2";
  EXPECT_EQ(judged("local_rel_l2(O1, fc/linear#2) < 1").comparisons[0].left, 0x1p-11) << "a call site as it is shown";
  EXPECT_EQ(judged("local_rel_l2(O1, fc/linear) < 1").comparisons[0].left, 0x1p-11);
  EXPECT_EQ(judged("call_sites(O1, conv1) > 1").comparisons[0].left, 2.0);
  EXPECT_EQ(judged("calls(O1) > 1").comparisons[0].left, 30.0);
  EXPECT_EQ(judged("tensor_core_share(O1) > 1").comparisons[0].left, 0.5);
  EXPECT_EQ(judged("tensor_core_misses(O1) > 1").comparisons[0].left, 1.0);
  EXPECT_EQ(judged("missing(ker*) > 1").comparisons[0].left, 3.0);
  EXPECT_EQ(judged("missing(nothing) > 1").comparisons[0].left, 0.0);
}

TEST_F(Evaluate, ConvertsUnits) {
  EXPECT_EQ(outcome("ms_per_step(O0) == 0.064 s"), GateOutcome::Pass);
  EXPECT_EQ(outcome("ms_per_step(O0) == 64"), GateOutcome::Pass);
  EXPECT_EQ(outcome("ms_per_step(O0) + 1 s == 1064 ms"), GateOutcome::Pass);
  EXPECT_EQ(outcome("peak_bytes <= 64 MB and peak_bytes < 0.07 GB"), GateOutcome::Pass);
  EXPECT_EQ(outcome("cpu_us(O1, fc) == 0.5 ms"), GateOutcome::Pass);
  EXPECT_EQ(outcome("cpu_us(O1, fc) / ms_per_step(2) * 64 == 1"), GateOutcome::Pass) << "500 us of 32 ms";
  EXPECT_EQ(outcome("overflow_events(O1) / steps(O1) == 50 %"), GateOutcome::Pass);
}

TEST_F(Evaluate, ComparesAsTheSignsSay) {
  struct {
    const char* rule;
    bool holds;
  } const cases[] = {
      {"steps < 10", false}, {"steps < 11", true},  {"steps <= 10", true}, {"steps <= 9", false},
      {"steps > 10", false}, {"steps > 9", true},   {"steps >= 10", true}, {"steps >= 11", false},
      {"steps == 10", true}, {"steps == 9", false}, {"steps != 9", true},  {"steps != 10", false},
  };
  for (const auto& [rule, holds] : cases) {
    EXPECT_EQ(outcome(rule), holds ? GateOutcome::Pass : GateOutcome::Fail) << rule;
  }
}

TEST_F(Evaluate, Calculates) {
  for (const char* rule : {"steps + 2 == 12", "steps - 2 == 8", "2 - steps == -8", "-steps == 0 - 10",
                           "steps * 3 == 30", "steps / 4 == 2.5", "ms_per_step(O0) - 0.06 s == 4 ms",
                           "ms_per_step(O0) / 2 == 32 ms", "2 * ms_per_step(O0) == 0.128 s"}) {
    EXPECT_EQ(outcome(rule), GateOutcome::Pass) << rule;
  }
}

TEST_F(Evaluate, JoinsOutcomes) {
  EXPECT_EQ(outcome("steps == 10 or steps == 9"), GateOutcome::Pass);
  EXPECT_EQ(outcome("steps == 9 or steps == 10"), GateOutcome::Pass);
  EXPECT_EQ(outcome("steps == 9 or steps == 8"), GateOutcome::Fail);
  EXPECT_EQ(outcome("steps == 10 and steps != 9"), GateOutcome::Pass);
  EXPECT_EQ(outcome("steps == 10 and steps == 9"), GateOutcome::Fail);
  EXPECT_EQ(outcome("final_loss(O1) > 1 and final_loss(O2) < 1"), GateOutcome::Fail);
  EXPECT_EQ(outcome("final_loss(O1) < 1 and final_loss(O2) < 1"), GateOutcome::Unknown);
  EXPECT_EQ(outcome("steps == 9 or local_rel_l2(O0) < 1"), GateOutcome::Fail) << "the other half does not apply";
}

TEST_F(Evaluate, SaysWhyThereIsNoValue) {
  const auto first = [&](const std::string& rule) { return judged(rule).comparisons.at(0); };
  const std::string no_run = "the report has no run 'O2'";
  const std::string in_full = "O0 computes these call sites in FP32";
  for (const char* rule : {"final_loss(O2) < 1", "1 > final_loss(O2)", "final_loss(O2) + 1 < 1",
                           "1 - final_loss(O2) < 1", "-final_loss(O2) < 1", "local_rel_l2(O0) < final_loss(O2)",
                           "final_loss(O2) < local_rel_l2(O0)", "final_loss(O1) < final_loss(O2)"}) {
    EXPECT_EQ(first(rule).outcome, GateOutcome::Unknown) << rule;
    EXPECT_EQ(first(rule).reason, no_run) << rule;
  }
  for (const char* rule : {"local_rel_l2(O0) < 1", "1 > local_rel_l2(O0)", "-local_rel_l2(O0) < local_rel_l2(O1)",
                           "local_rel_l2(O1) < local_rel_l2(O0) * 2", "local_rel_l2(O0) < inherited_rel_l2(O0)"}) {
    EXPECT_EQ(first(rule).outcome, GateOutcome::DoesNotApply) << rule;
    EXPECT_EQ(first(rule).reason, in_full) << rule;
  }
  EXPECT_EQ(first("initial_loss(O1) < 1").reason, "O1 has no initial_loss");
  EXPECT_EQ(first("inherited_rel_l2(O1) < 1").reason, "O1 has no inherited_rel_l2 for these call sites");
  EXPECT_EQ(first("calls(O1, backward, relu*) > 0").reason,
            "O1 has no call site of phase backward that matches 'relu*'");
  runs_[1].run.level = "";
  EXPECT_EQ(first("initial_loss(2) < 1").reason, "run 2 has no initial_loss");
}

TEST_F(Evaluate, TakesAnOpForReducedPrecisionWhereItsInputOrItsOutputIs) {
  for (SiteEvidence& site : runs_[0].sites) site.op.dtype_in = DType::Half;
  EXPECT_EQ(judged("local_rel_l2(O0) < 1").comparisons.at(0).outcome, GateOutcome::Unknown);
  for (SiteEvidence& site : runs_[0].sites) std::swap(site.op.dtype_in, site.op.dtype_out);
  EXPECT_EQ(judged("local_rel_l2(O0) < 1").comparisons.at(0).outcome, GateOutcome::Unknown);
  runs_[0].sites[0].op.dtype_out = DType::Float;
  EXPECT_EQ(judged("local_rel_l2(O0) < 1").comparisons.at(0).outcome, GateOutcome::Unknown) << "of two";
}

TEST_F(Evaluate, ReadsEveryMetric) {
  RunEvidence& run = runs_[1];
  run.predicted_loss_change = 0.125;
  run.run.exit_code = 3;
  run.run.complete = true;
  run.missing.push_back({.what = "op calls", .count = 4, .cause = "", .remedy = ""});
  for (SiteEvidence& site : run.sites) {
    site.op.inherited = ErrorStats{.count = 1, .sum_sq_error = 4, .sum_sq_reference = 1};
    site.op.loss_impact = 0.5;
    site.op.loss_impact_rms = 0.75;
    site.op.gpu_us = 6;
    site.op.cast_bytes = 7;
    site.op.ranges =
        RangeStats{.count = 1, .nonfinite = 2, .amax = 5, .rounds_to_inf = 3, .subnormal = 4, .rounds_to_zero = 6};
    site.op.local->flushed = 8;
  }
  run.sites[0].op.loss_impact_rms = 0.875;
  run.sites[1].op.cpu_us = 900;
  struct {
    const char* metric;
    double value;
  } const cases[] = {
      {"predicted_loss_change", 0.125},
      {"exit_code", 3},
      {"complete", 1},
      {"missing", 7},
      {"inherited_rel_l2", 2},
      {"loss_impact", 1.5},
      {"loss_impact_rms", 0.875},
      {"nonfinite", 6},
      {"flushed", 24},
      {"rounds_to_inf", 9},
      {"rounds_to_zero", 18},
      {"subnormal", 12},
      {"amax", 5},
      {"calls", 30},
      {"call_sites", 3},
      {"cpu_us", 1900},
      {"cpu_us_per_call", 90},
      {"gpu_us", 18},
      {"cast_bytes", 21},
      {"tensor_core_share", 0.5},
      {"tensor_core_misses", 1},
      {"final_loss", 0.25},
      {"steps", 10},
      {"overflow_events", 2},
  };
  for (const auto& [metric, value] : cases) {
    EXPECT_EQ(judged(std::string(metric) + "(2) < 1").comparisons.at(0).left, value) << metric;
  }
}

TEST(PredictedLossChange, IsTheSumOfWhatIsKnown) {
  std::vector<queries::ImpactRow> impacts(3);
  EXPECT_EQ(predicted_loss_change(impacts), std::nullopt);
  impacts[0].impact = 1.5;
  impacts[2].impact = -0.25;
  EXPECT_EQ(predicted_loss_change(impacts), 1.25);
}

TEST(GateOutcomes, HaveNames) {
  EXPECT_EQ(name_of(GateOutcome::Pass), "pass");
  EXPECT_EQ(name_of(GateOutcome::Fail), "fail");
  EXPECT_EQ(name_of(GateOutcome::Unknown), "unknown");
  EXPECT_EQ(name_of(GateOutcome::DoesNotApply), "does_not_apply");
}

TEST_F(Evaluate, LetsNoComparisonWithNanHold) {
  runs_[0].run.final_loss = std::numeric_limits<double>::quiet_NaN();
  for (const char* sign : {"<", "<=", ">", ">=", "==", "!="}) {
    EXPECT_EQ(outcome("final_loss(O0) " + std::string(sign) + " 1"), GateOutcome::Fail) << sign;
  }
  EXPECT_EQ(outcome("final_loss(O1) < 1.05 * final_loss(O0)"), GateOutcome::Fail);
}

TEST_F(Evaluate, KnowsNothingFromAnInfiniteMeasuredValue) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  runs_[0].run.final_loss = kInf;
  EXPECT_EQ(outcome("final_loss(O1) <= 1.5 * final_loss(O0)"), GateOutcome::Unknown) << "any loss is below inf";
  EXPECT_EQ(outcome("final_loss(O0) <= 1.5 * final_loss(O1)"), GateOutcome::Fail);
  runs_[1].run.final_loss = kInf;
  for (const char* sign : {"<=", ">=", "=="}) {
    EXPECT_EQ(outcome("final_loss(O1) " + std::string(sign) + " 1.5 * final_loss(O0)"), GateOutcome::Unknown) << sign;
  }
  EXPECT_EQ(outcome("final_loss(O1) < 1.5 * final_loss(O0)"), GateOutcome::Fail);
  EXPECT_EQ(outcome("final_loss(O0) <= 3"), GateOutcome::Fail) << "a number of the rule";
  EXPECT_EQ(outcome("final_loss(O0) > 3"), GateOutcome::Pass);
}

TEST_F(Evaluate, CountsNoNanThatIsExpected) {
  runs_[1].sites[0].op.ranges->nonfinite = 4;
  EXPECT_EQ(outcome("nonfinite == 0"), GateOutcome::Fail);
  runs_[1].sites[0].op.nonfinite_expected = true;
  EXPECT_EQ(outcome("nonfinite == 0"), GateOutcome::Pass);
}

TEST(EvaluateTwoReports, NamesTheirSides) {
  RunEvidence before = a_run("O1");
  const RunEvidence after = a_run("O1");
  before.run.ms_per_step = 20;
  const std::vector<Occasion> occasions{{.label = "O1", .a = {{&before}, {&before}}, .b = {{&after}, {&after}}}};
  const auto outcome = [&](const char* rule) { return judge(parse_rule(rule, Reports::Two), occasions).outcome; };
  EXPECT_EQ(outcome("ms_per_step(B) == 1.6 * ms_per_step(A)"), GateOutcome::Pass);
  EXPECT_EQ(outcome("ms_per_step == 32"), GateOutcome::Pass) << "B is meant";
  EXPECT_EQ(outcome("ms_per_step(A, O1) == 20"), GateOutcome::Pass);
}

}  // namespace evaluate_test
}  // namespace ampprof::gates

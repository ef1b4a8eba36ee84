// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/confirm.h"

#include <gtest/gtest.h>

#include "reports/queries/runs.h"

namespace ampprof::analysis {
namespace confirm_test {

Finding finding(std::string_view kind, double cost, std::vector<Remedy> remedies = {}) {
  return {
      .kind = kind, .runs = {1}, .culprit = {.call_site = "fc/linear"}, .cost = cost, .remedies = std::move(remedies)};
}

Remedy by_word(const std::string& word) { return {.text = "Do.", .word = word}; }

queries::RunRow run_of(std::int64_t skipped, double last_loss) {
  queries::RunRow run;
  run.run = 1;
  run.skipped_steps = skipped;
  run.last_loss_mean = last_loss;
  return run;
}

class Confirming : public ::testing::Test {
 protected:
  Confirmation confirmed(const queries::RunRow& with, const std::vector<Finding>& left) {
    return confirmation_of(trials_of(before).front(), {without, before}, {with, left});
  }

  std::vector<Finding> before = {finding("loss_scale_too_large", 0.3, {by_word("init_scale=1024")})};
  queries::RunRow without = run_of(3, 0.75);
};

TEST(TrialsOf, AreTheRemediesThatARunCanApplyOnceForEachFinding) {
  const std::vector<Finding> findings = {
      finding("stale_cast", 0.5, {by_word("no_cast_cache"), {.text = "Or by hand."}, by_word("no_cast_cache")}),
      finding("overflow_held_by_fp32", 0.4, {{.text = "Run exp in FP32.", .policy = "exp fp32"}}),
      finding("lost_sum", 0.3, {{.text = "Sum in FP32."}})};
  const auto trials = trials_of(findings);
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_EQ(trials[0].remedy->trial(), "no_cast_cache");
  EXPECT_EQ(trials[1].remedy->trial(), "exp fp32");
  EXPECT_EQ(trials[1].finding->kind, "overflow_held_by_fp32");
  EXPECT_EQ(trials_of(findings, "exp fp32").size(), 1u);
  EXPECT_TRUE(trials_of(findings, "eps=1").empty());
}

TEST(RemedyToTry, IsTheConfirmedOneElseTheFirstThatNobodyRefuted) {
  std::vector<Finding> findings = {
      finding("overflow_held_by_fp32", 0.9, {{.text = "Run exp in FP32.", .policy = "exp fp32"}}),
      finding("loss_scale_too_large", 0.5, {by_word("init_scale=128")}),
      finding("amplified_error", 0.4, {by_word("fp32_module=2")})};
  EXPECT_EQ(remedy_to_try(findings, 1), "init_scale=128");
  EXPECT_EQ(remedy_to_try(findings, 2), "") << "the findings are of run 1";
  findings[1].remedies[0].helped = false;
  EXPECT_EQ(remedy_to_try(findings, 1), "fp32_module=2");
  findings[1].remedies[0].helped.reset();
  findings[2].remedies[0].helped = true;
  EXPECT_EQ(remedy_to_try(findings, 1), "fp32_module=2");
}

TEST_F(Confirming, HelpsWhereTheFindingIsGone) {
  const Confirmation found = confirmed(run_of(0, 0.5), {});
  EXPECT_EQ(found.kind, "loss_scale_too_large");
  EXPECT_EQ(found.remedy, "init_scale=1024");
  EXPECT_TRUE(found.helped);
  EXPECT_EQ(found.outcome,
            "In a run with the remedy, the finding is gone; skipped steps 0 instead of 3, mean of the last losses "
            "0.500 instead of 0.750.");
}

TEST_F(Confirming, DoesNotHelpWhereTheFindingStays) {
  const Confirmation found = confirmed(run_of(3, 0.75), before);
  EXPECT_FALSE(found.helped);
  EXPECT_EQ(found.outcome, "In a run with the remedy, the finding remains.");
}

TEST_F(Confirming, HelpsWhereTheFindingCostsLessThanHalf) {
  EXPECT_TRUE(confirmed(run_of(1, 0.5), {finding("loss_scale_too_large", 0.1)}).helped);
  EXPECT_FALSE(confirmed(run_of(2, 0.5), {finding("loss_scale_too_large", 0.2)}).helped);
}

TEST_F(Confirming, DoesNotHelpWhereSomethingAsBadTakesItsPlace) {
  const Confirmation found = confirmed(run_of(0, 0.5), {finding("gradients_flushed", 0.9)});
  EXPECT_FALSE(found.helped);
  EXPECT_NE(found.outcome.find("is gone, but the run is hardly better"), std::string::npos) << found.outcome;
}

TEST_F(Confirming, DoesNotHelpWhereItsStepsAreSkippedAllTheSame) {
  before[0].chain = {"sum", "skipped fc.weight"};
  without.steps = 10;
  EXPECT_TRUE(confirmed(run_of(1, 0.5), {}).helped);
  EXPECT_FALSE(confirmed(run_of(2, 0.5), {}).helped) << "3 of 10 steps were its";
}

TEST_F(Confirming, DoesNotHelpWhereTheLossIsNoLongerFinite) {
  queries::RunRow with = run_of(0, 0.5);
  with.ends_nonfinite = true;
  EXPECT_FALSE(confirmed(with, {}).helped);
}

TEST_F(Confirming, ExplainsOtherFindingsThatAreGoneToo) {
  before.push_back(finding("gradients_flushed", 0.1));
  before.push_back(finding("lost_sum", 0.05));
  const Confirmation found = confirmed(run_of(0, 0.5), {finding("lost_sum", 0.05)});
  EXPECT_TRUE(found.helped);
  EXPECT_EQ(found.explains, "gradients_flushed");
}

}  // namespace confirm_test
}  // namespace ampprof::analysis

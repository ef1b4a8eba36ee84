// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ampprof::search {
namespace search_test {

/// A program whose loss is 100, plus 20 for each of `needed` that is not in high precision.
struct Planted {
  SearchProblem question;
  Set needed;
  double noise = 0.0;  ///< standard deviation over seeds; 0 if the seed has no influence

  explicit Planted(std::size_t n, std::size_t advised, Set needed, double noise = 0.0)
      : needed(std::move(needed)), noise(noise) {
    for (std::size_t i = 0; i < n; ++i) question.candidates.all.push_back({"f" + std::to_string(i) + " fp32", ""});
    question.candidates.advised = advised;
  }

  Measured run(const Wanted& wanted) const {
    std::seed_seq seed{wanted.set.size(), static_cast<std::size_t>(wanted.repeat)};
    std::mt19937 random(seed);
    Measured run{.value = 100.0, .seconds = 1.0};
    for (const std::size_t each : needed) {
      if (std::ranges::find(wanted.set, each) == wanted.set.end()) *run.value += 20.0;
    }
    if (noise > 0.0) *run.value += std::normal_distribution<double>(0.0, noise)(random);
    run.final_loss = run.value;
    return run;
  }

  void add(const Wanted& wanted, Journal& journal) const {
    journal.add(policy_of(question, wanted.set), wanted.repeat, run(wanted));
  }
};

/// Runs the trials that the search wants, in random order, until it wants no more.
SearchState searched(const Planted& planted, std::size_t at_once, unsigned seed = 1) {
  Journal journal;
  std::mt19937 random(seed);
  while (true) {
    const SearchState findings = findings_of(planted.question, journal, at_once);
    if (findings.wanted.empty()) return findings;
    planted.add(findings.wanted[random() % findings.wanted.size()], journal);
  }
}

TEST(Search, BeginsWithEverythingInHighPrecision) {
  const Planted planted(5, 2, {1});
  const SearchState findings = findings_of(planted.question, {}, 9);
  EXPECT_EQ(findings.wanted, (std::vector<Wanted>{{{0, 1, 2, 3, 4}, 0}, {{0, 1, 2, 3, 4}, 1}}));
  EXPECT_FALSE(findings.best.set);
  EXPECT_FALSE(findings.tolerance);
  EXPECT_TRUE(findings.evaluations.empty());
}

TEST(Search, WhereRepeatsAgreeDecidesByOneRun) {
  const SearchState findings = searched(Planted(40, 3, {1, 20}), 1);
  EXPECT_EQ(findings.best.set, (Set{1, 20}));
  EXPECT_TRUE(findings.best.open.empty());
  EXPECT_TRUE(findings.repeats_agree);
  EXPECT_EQ(findings.tested(), 0u);
  EXPECT_EQ(findings.tolerance, 1.0);
  EXPECT_EQ(findings.evaluations.front().runs, 2u);
  for (std::size_t i = 1; i < findings.evaluations.size(); ++i) EXPECT_EQ(findings.evaluations[i].runs, 1u);
}

TEST(Search, WhereRunsDifferTestsEachSet) {
  const SearchState findings = searched(Planted(20, 3, {1, 12}, 1.0), 1);
  EXPECT_EQ(findings.best.set, (Set{1, 12}));
  EXPECT_FALSE(findings.repeats_agree);
  EXPECT_EQ(findings.tested(), findings.evaluations.size() - 1);
  for (const Evaluation& evaluation : findings.evaluations) EXPECT_GE(evaluation.runs, 3u);
}

TEST(Search, FindsTheSameInWhateverOrderRunsEnd) {
  const Planted planted(20, 3, {1, 12}, 1.0);
  const SearchState alone = searched(planted, 1);
  for (unsigned seed = 1; seed < 6; ++seed) {
    const SearchState parallel = searched(planted, 4, seed);
    EXPECT_EQ(parallel.best.set, alone.best.set);
    EXPECT_EQ(parallel.tolerance, alone.tolerance);
  }
}

TEST(Search, ContinuesAfterAKill) {
  const Planted planted(20, 3, {1, 12});
  Journal kept;
  for (int run = 0; run < 6; ++run) planted.add(findings_of(planted.question, kept, 1).wanted.front(), kept);
  const auto next = findings_of(planted.question, kept, 1).wanted;
  Journal copy = kept;
  EXPECT_EQ(findings_of(planted.question, copy, 1).wanted, next) << "the runs are the only state";
  int runs = 6;
  for (SearchState findings; !(findings = findings_of(planted.question, kept, 1)).wanted.empty(); ++runs) {
    planted.add(findings.wanted.front(), kept);
  }
  std::size_t uninterrupted = 0;
  for (const Evaluation& evaluation : searched(planted, 1).evaluations) uninterrupted += evaluation.runs;
  EXPECT_EQ(static_cast<std::size_t>(runs), uninterrupted);
}

TEST(Search, KnowsTheSmallestSetThatPassedSoFar) {
  const Planted planted(20, 3, {1});
  Journal journal;
  for (int run = 0; run < 3; ++run) planted.add(findings_of(planted.question, journal, 1).wanted.front(), journal);
  const SearchState findings = findings_of(planted.question, journal, 1);
  EXPECT_EQ(findings.best.set, (Set{0, 1, 2})) << "the advised set passed";
  EXPECT_EQ(findings.best.open, (Set{0, 1, 2}));
  EXPECT_EQ(findings.wanted, (std::vector<Wanted>{{{}, 0}}));
}

TEST(Search, EndsWhereEverythingInHighPrecisionFails) {
  Planted planted(5, 2, {1});
  Journal journal;
  journal.add(policy_of(planted.question, {0, 1, 2, 3, 4}), 0, {});
  const SearchState findings = findings_of(planted.question, journal, 9);
  EXPECT_TRUE(findings.wanted.empty());
  EXPECT_FALSE(findings.best.set);
  ASSERT_EQ(findings.evaluations.size(), 1u);
  EXPECT_EQ(findings.evaluations[0].verdict, Verdict::Fail);
  EXPECT_EQ(findings.evaluations[0].failed, 1u);
  EXPECT_FALSE(findings.evaluations[0].metric);
}

TEST(Search, FailsASetByOneBadRun) {
  const Planted planted(5, 2, {}, 1.0);
  Journal journal;
  for (std::int64_t repeat = 0; repeat < 5; ++repeat) planted.add({{0, 1, 2, 3, 4}, repeat}, journal);
  journal.add(policy_of(planted.question, {0, 1}), 1, {.value = std::nan("")});
  const SearchState findings = findings_of(planted.question, journal, 1);
  ASSERT_EQ(findings.evaluations.size(), 2u);
  EXPECT_EQ(findings.evaluations[1].verdict, Verdict::Fail);
  EXPECT_EQ(findings.tested(), 0u) << "it did not fail by chance";
}

/// Returns the losses of 100 equal steps.
Losses flat(double loss) { return Losses(100, loss); }

TEST(Search, TakesAStoppedRunForAFailureAsFarAsTheToleranceGoes) {
  Planted planted(5, 2, {}, 1.0);
  Journal journal;
  const Set all = everything_of(planted.question);
  for (std::int64_t repeat = 0; repeat < 5; ++repeat) {
    Measured run = planted.run({all, repeat});
    run.losses = flat(*run.value);
    journal.add(policy_of(planted.question, all), repeat, run);
  }
  journal.add(policy_of(planted.question, {0, 1}), 0, {.value = {}, .losses = flat(200)});
  const SearchState findings = findings_of(planted.question, journal, 1);
  ASSERT_TRUE(findings.loss_reference);
  EXPECT_EQ(findings.loss_reference->runs.size(), 5u);
  ASSERT_EQ(findings.evaluations.size(), 2u);
  EXPECT_EQ(findings.evaluations[1].verdict, Verdict::Fail);
  EXPECT_EQ(findings.evaluations[1].stopped, 1u);
  EXPECT_EQ(findings.tested(), 1u) << "that verdict may be wrong";

  planted.question.within.absolute = 150;
  EXPECT_EQ(findings_of(planted.question, journal, 1).wanted, (std::vector<Wanted>{{{0, 1}, 0}}))
      << "with this tolerance it would not have been stopped";
  planted.question.metric.kind = MetricKind::Output;
  EXPECT_FALSE(findings_of(planted.question, journal, 1).loss_reference) << "losses say nothing of what is printed";
}

TEST(Search, WithoutLossesDoesNotTakeEqualValuesForASign) {
  const Planted planted(5, 2, {});
  Journal journal;
  for (std::int64_t repeat = 0; repeat < 2; ++repeat) {
    journal.add(policy_of(planted.question, {0, 1, 2, 3, 4}), repeat, {.value = 0.9});
  }
  EXPECT_EQ(findings_of(planted.question, journal, 9).wanted.size(), 3u) << "an accuracy may be the same by chance";
}

TEST(Search, AlsoWantsTheRunsThatWouldFollowAFailure) {
  const Planted planted(8, 4, {});
  Journal journal;
  for (std::int64_t repeat = 0; repeat < 2; ++repeat) planted.add({{0, 1, 2, 3, 4, 5, 6, 7}, repeat}, journal);
  EXPECT_EQ(findings_of(planted.question, journal, 3).wanted,
            (std::vector<Wanted>{{{0, 1, 2, 3}, 0}, {{0, 1, 2, 3, 4, 5}, 0}, {{0, 1, 2, 3, 4, 5, 6}, 0}}));
}

TEST(Search, WritesAPolicyThatDoesNotDependOnTheOrder) {
  SearchProblem question{.candidates = {.all = {{"b fp32", ""}, {"a fp32 in x", ""}}}, .base = "use native"};
  EXPECT_EQ(policy_of(question, {0, 1}), "use native\na fp32 in x\nb fp32\n");
  EXPECT_EQ(policy_of(question, {}), "use native\n");
  question.base = "";
  EXPECT_EQ(policy_of(question, {}), "");
}

TEST(Search, WritesAPolicyWithReasonsThatStayComments) {
  const SearchProblem question{.candidates = {.all = {{"b fp32", "it overflows\nmm fp16"}, {"a fp32", ""}}},
                               .base = "use native"};
  EXPECT_EQ(commented_policy_of(question, {0, 1}), "use native\n# it overflows mm fp16\nb fp32\na fp32\n");
}

TEST(Search, TellsWhichPartAskedForASet) {
  const SearchState findings = searched(Planted(6, 2, {1}), 1);
  const auto stage_of = [&](const Set& set) {
    return std::ranges::find(findings.evaluations, set, &Evaluation::set)->stage;
  };
  EXPECT_EQ(stage_of({0, 1, 2, 3, 4, 5}), Stage::Everything);
  EXPECT_EQ(stage_of({0, 1}), Stage::Advised);
  EXPECT_EQ(stage_of({}), Stage::Nothing);
  EXPECT_EQ(stage_of({1}), Stage::Halves);
}

TEST(RunningSets, StandBehindThoseThatRan) {
  const Planted planted(4, 2, {1});
  Journal journal;
  SearchState findings = findings_of(planted.question, journal, 2);
  note_running(findings, 1);
  ASSERT_EQ(findings.evaluations.size(), 1u);
  EXPECT_EQ(findings.evaluations[0].runs, 0u);
  EXPECT_EQ(findings.evaluations[0].running, 1u);
  for (const Wanted& wanted : findings.wanted) planted.add(wanted, journal);
  findings = findings_of(planted.question, journal, 2);
  note_running(findings, 9);
  ASSERT_EQ(findings.evaluations.size(), 3u) << "the next, and one to come if that fails";
  EXPECT_EQ(findings.evaluations[0].running, 0u);
  EXPECT_EQ(findings.evaluations[1].set, (Set{0, 1}));
  EXPECT_EQ(findings.evaluations[1].stage, Stage::Advised);
  EXPECT_EQ(findings.evaluations[2].stage, Stage::Halves);
  EXPECT_EQ(findings.evaluations[2].running, 1u);
}

}  // namespace search_test
}  // namespace ampprof::search

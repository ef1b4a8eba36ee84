// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/step_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

namespace ampprof::profiler {
namespace step_choice_test {

constexpr std::int64_t kStep = 10'000'000;       // ns of a step without ampprof
constexpr std::int64_t kRecording = 40'000'000;  // ns of overhead in a recorded step
constexpr std::int64_t kPassing = 50'000;        // ns of overhead in any other step

struct Training {
  std::int64_t now_ns = 0;
  std::int64_t overhead_ns = 0;
  std::int64_t recorded = 0;
  StepChoice choice;

  void run(const recording::Options& options, std::int64_t steps) {
    for (std::int64_t step = 1; step <= steps; ++step) {
      const bool is_recorded = choice.records(options, step, now_ns, overhead_ns);
      EXPECT_EQ(choice.records(options, step, now_ns + 1, overhead_ns + 1), is_recorded) << "a step has one answer";
      const std::int64_t own = is_recorded ? kRecording : kPassing;
      recorded += is_recorded ? 1 : 0;
      overhead_ns += own;
      now_ns += kStep + own;
    }
  }

  double share() const { return static_cast<double>(overhead_ns) / static_cast<double>(now_ns - overhead_ns); }
};

recording::Options within(double share) {
  recording::Options options;
  options.overhead = share;
  return options;
}

TEST(StepChoice, KeepsTheShareOfTheTime) {
  for (const double share : {0.05, 0.1, 0.5}) {
    Training training;
    training.run(within(share), 1000);
    EXPECT_LE(training.share(), share + 1e-9);
    EXPECT_GE(training.share(), 0.9 * share) << "what is allowed is used";
  }
}

TEST(StepChoice, HasLocalErrorsOfMoreStepsThanWhatCostsMore) {
  recording::Options options = within(0.05);
  options.impact = true;
  for (const double local_cost : {0.06, 0.2, 1.0, 2.0}) {
    for (const double deep_cost : {0.5, 2.0, 6.0}) {
      if (deep_cost < local_cost) continue;
      StepChoice choice;
      std::int64_t now_ns = 0, overhead_ns = 0, local = 0, deep = 0;
      for (std::int64_t step = 1; step <= 20'000; ++step) {
        const bool is_recorded = choice.records(options, step, now_ns, overhead_ns);
        const bool is_followed = is_recorded && choice.is_followed(options, step);
        EXPECT_EQ(is_followed, is_recorded && choice.is_in_full(step)) << "so gradients have their impact there, too";
        EXPECT_TRUE(choice.is_sampled(options, step)) << "each recorded step has loss impact";
        if (is_recorded) ++(is_followed ? deep : local);
        const double cost = is_followed ? deep_cost : is_recorded ? local_cost : 0.0;
        overhead_ns += static_cast<std::int64_t>(cost * kStep);
        now_ns += kStep + static_cast<std::int64_t>(cost * kStep);
      }
      const double deep_share = StepChoice::kDeepPart * 0.05 * 20'000;
      const double local_share = (1 - StepChoice::kDeepPart) * 0.05 * 20'000;
      EXPECT_GE(static_cast<double>(deep) * deep_cost, 0.3 * deep_share) << local_cost << ' ' << deep_cost;
      EXPECT_GE(static_cast<double>(local) * local_cost, 0.3 * local_share) << local_cost << ' ' << deep_cost;
      EXPECT_LE(static_cast<double>(overhead_ns), 0.05 * 20'000 * kStep + 1e5);
    }
  }
}

TEST(StepChoice, TheTimeBeforeTheFirstStepEarnsNothing) {
  Training training;
  training.now_ns = 1000 * kStep;  // for imports and for loading data
  training.run(within(0.05), 1000);
  const double in_steps = static_cast<double>(training.now_ns - training.overhead_ns - 1000 * kStep);
  EXPECT_LE(static_cast<double>(training.overhead_ns), 0.05 * in_steps + 1e-3);
}

TEST(StepChoice, RecordsTheFirstStepsAndThenEarnsThem) {
  Training training;
  training.run(within(0.01), 200);
  EXPECT_EQ(training.recorded, StepChoice::kFirstSteps);
}

TEST(StepChoice, KnowsABoundThatUnrecordedStepsAlreadyExceed) {
  const auto exceeded = [](double share, std::int64_t steps) {
    Training training;
    training.now_ns = kStep;  // imports take some time
    training.run(within(share), steps);
    return training.choice.exceeded(within(share), training.now_ns, training.overhead_ns);
  };
  EXPECT_FALSE(exceeded(0.006, 1000)) << "an unrecorded step costs 0.5 %";
  EXPECT_FALSE(exceeded(0.004, 90)) << "too short to tell";
  const auto found = exceeded(0.004, 1000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bound, 0.004);
  EXPECT_NEAR(found->share, 0.005, 1e-4);
  EXPECT_FALSE(exceeded(recording::kEverything, 1000));
}

TEST(StepChoice, ChoosesAmongTheStepsThatWereAskedFor) {
  recording::Options options = within(0.5);
  options.every = 10;
  StepChoice choice;
  for (std::int64_t step = 2; step <= 10; ++step) EXPECT_FALSE(choice.records(options, step, step * kStep, 0)) << step;
  EXPECT_TRUE(choice.records(options, 11, 11 * kStep, 0));
}

TEST(StepChoice, RecordsAllSteps) {
  Training training;
  training.run(within(recording::kEverything), 2000);
  EXPECT_EQ(training.recorded, 2000);
}

TEST(StepChoice, KeepsTheDefaultShareOnceAProgramHasRunForLong) {
  constexpr std::int64_t kInFull = StepChoice::kFullNs / (kStep + kRecording);
  Training training;
  training.run({}, kInFull);
  EXPECT_EQ(training.recorded, kInFull);
  Training longer;
  longer.run({}, 20 * kInFull);
  const std::int64_t later_overhead_ns = longer.overhead_ns - training.overhead_ns;
  const std::int64_t later_ns = longer.now_ns - training.now_ns - later_overhead_ns;
  const double share = static_cast<double>(later_overhead_ns) / static_cast<double>(later_ns);
  EXPECT_LE(share, StepChoice::kDefaultShare + 0.01);
  EXPECT_GE(share, 0.9 * StepChoice::kDefaultShare);
}

TEST(StepChoice, StepsOfRanksThatCostDifferentlyCoincide) {
  const recording::Options options = within(0.05);
  const auto chosen_at = [&](std::int64_t cost) {
    StepChoice choice;
    std::set<std::int64_t> chosen;
    std::int64_t now_ns = 1, overhead_ns = 0;
    for (std::int64_t step = 1; step <= 2000; ++step) {
      const bool is_chosen = choice.records(options, step, now_ns, overhead_ns);
      if (is_chosen) chosen.insert(step);
      overhead_ns += is_chosen ? cost : 0;
      now_ns += kStep + (is_chosen ? cost : 0);
    }
    return chosen;
  };
  const std::set<std::int64_t> slow = chosen_at(kRecording);
  std::set<std::int64_t> common;
  std::ranges::set_intersection(slow, chosen_at(kRecording + kRecording / 10), std::inserter(common, common.end()));
  EXPECT_GE(common.size(), slow.size() / 3) << slow.size();
}

TEST(StepChoice, LooksCloselyAfterALossThatIsNotFinite) {
  const recording::Options options = within(0.01);
  StepChoice choice;
  std::int64_t now_ns = 1, overhead_ns = 0;
  std::vector<std::int64_t> chosen;
  for (std::int64_t step = 1; step <= 100; ++step) {
    const bool is_chosen = choice.records(options, step, now_ns, overhead_ns);
    if (is_chosen) chosen.push_back(step);
    (void)choice.records(options, step + 1, now_ns, overhead_ns);  // as ops between two steps do
    choice.loss_seen(step, step < 50);
    overhead_ns += is_chosen ? kRecording : 0;
    now_ns += kStep + (is_chosen ? kRecording : 0);
  }
  EXPECT_EQ(chosen, (std::vector<std::int64_t>{1, 2, 51, 52, 53}));
}

TEST(StepChoice, CanBeChangedWhileTheProgramRuns) {
  recording::Options options;
  options.every = 10;
  StepChoice choice;
  const auto chosen = [&](std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> steps;
    for (std::int64_t step = first; step <= last; ++step) {
      if (choice.records(options, step, step * kStep, 0)) steps.push_back(step);
    }
    return steps;
  };
  using Steps = std::vector<std::int64_t>;
  EXPECT_EQ(chosen(1, 20), (Steps{1, 11}));
  choice.record_every(3);
  EXPECT_EQ(chosen(21, 30), (Steps{21, 24, 27, 30}));
  choice.record_every(0);
  EXPECT_EQ(chosen(31, 60), (Steps{}));
  choice.record_deep(65, 3);
  EXPECT_EQ(chosen(61, 90), (Steps{65, 66, 67}));
}

TEST(StepChoice, DeepStepsKeepToNoBoundAndHaveAllFigures) {
  recording::Options options = within(0.01);
  options.deep_every = 100;
  StepChoice choice;
  std::int64_t recorded = 0, sampled = 0, overhead_ns = 0;
  for (std::int64_t step = 1; step <= 200; ++step) {
    if (step == 100) choice.record_deep(102, 20);
    const bool is_recorded = choice.records(options, step, step * (kStep + kRecording), overhead_ns);
    overhead_ns += is_recorded ? kRecording : kPassing;
    if (step < 102 || step >= 122) continue;
    recorded += is_recorded;
    sampled += choice.is_sampled(options, step);
  }
  EXPECT_EQ(recorded, 20);
  EXPECT_EQ(sampled, 20);
}

}  // namespace step_choice_test
}  // namespace ampprof::profiler

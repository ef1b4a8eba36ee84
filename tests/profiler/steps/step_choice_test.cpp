// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/step_choice.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace step_choice_test {

constexpr std::int64_t kStep = 10'000'000;       // what the program takes for one
constexpr std::int64_t kRecording = 40'000'000;  // what ampprof adds to a recorded one
constexpr std::int64_t kPassing = 50'000;        // to any other

struct Training {
  std::int64_t now_ns = 0;
  std::int64_t overhead_ns = 0;
  std::int64_t recorded = 0;

  void run(const recording::Options& options, std::int64_t steps) {
    StepChoice choice;
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

TEST(StepChoice, RecordsTheFirstStepsAndThenEarnsThem) {
  Training training;
  training.run(within(0.01), 200);
  EXPECT_EQ(training.recorded, StepChoice::kFirstSteps);
}

TEST(StepChoice, ChoosesAmongTheStepsThatWereAskedFor) {
  recording::Options options = within(0.5);
  options.every = 10;
  StepChoice choice;
  for (std::int64_t step = 2; step <= 10; ++step) EXPECT_FALSE(choice.records(options, step, step * kStep, 0)) << step;
  EXPECT_TRUE(choice.records(options, 11, 11 * kStep, 0));
}

TEST(StepChoice, RecordsAllWithoutABound) {
  for (const recording::Options& options : {recording::Options{}, within(recording::kEverything)}) {
    Training training;
    training.run(options, 100);
    EXPECT_EQ(training.recorded, 100);
  }
}

}  // namespace step_choice_test
}  // namespace ampprof::profiler

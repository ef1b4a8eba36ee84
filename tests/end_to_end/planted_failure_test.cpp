// SPDX-License-Identifier: Apache-2.0
// Scales an input by 2^17 in step 3. The report must show the step, the op, the parameters, and the engine's reaction.
#include <gtest/gtest.h>

#include <string>

#include "reports/queries/events.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace planted_failure_test {

class PlantedFailure : public ::testing::TestWithParam<const char*> {};

std::string run_line(const std::string& options) {
  return ampprof() + " run --force -o r.ampprof sample:mnist_cnn --steps 5 --batch-size 16 --threads 1 " + options;
}

TEST_P(PlantedFailure, GivesAnOverflowEventAtItsStep) {
  const TemporaryFolder folder;
  const std::string level = std::string(" --opt-level ") + GetParam();
  const auto result = run_command(run_line("--poison-step 3" + level), folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const queries::Report report(folder.path() / "r.ampprof");

  const auto runs = queries::runs(report);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].steps, 5);
  EXPECT_EQ(runs[0].skipped_steps, 1);
  EXPECT_TRUE(runs[0].complete);
  EXPECT_EQ(runs[0].loss_scale_final, 32768.0);

  const auto events = queries::events(report);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].step, 3);
  EXPECT_EQ(events[0].scale_before, 65536.0);
  EXPECT_EQ(events[0].scale_after, 32768.0);
  EXPECT_TRUE(events[0].skipped);
  EXPECT_FALSE(events[0].first_op.empty());
  EXPECT_FALSE(events[0].chain.empty());
  if (events[0].first_op_phase == Phase::Backward) {
    EXPECT_FALSE(events[0].largest_safe_scale_is_bound) << "the shadow saw the gradients";
  } else {
    EXPECT_EQ(events[0].largest_safe_scale, std::nullopt) << "no scale helps a forward that overflows";
  }
  ASSERT_FALSE(events[0].parameters.empty());
  for (const auto& parameter : events[0].parameters) {
    EXPECT_FALSE(parameter.name.empty());
    EXPECT_GT(parameter.nan + parameter.inf, 0);
  }
  EXPECT_NE(result.out.find("Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768"),
            std::string::npos)
      << result.out;
}

TEST_P(PlantedFailure, LeavesTheWeightsOfItsStepBitIdentical) {
  if (GetParam() == std::string("O1")) AMPPROF_REPETITION();
  const TemporaryFolder folder;
  const std::string level = std::string(" --opt-level ") + GetParam();
  const auto weights_after = [&](int steps, const std::string& options) {
    const std::string file = "after" + std::to_string(steps) + ".pt";
    const auto result =
        run_command(ampprof() + " run --force -o r.ampprof sample:mnist_cnn --batch-size 16 --threads 1" + " --steps " +
                        std::to_string(steps) + " --save-weights " + file + options + level,
                    folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return bytes_of(folder.path() / file);
  };
  const std::string before = weights_after(2, "");
  ASSERT_GT(before.size(), 1000u);
  EXPECT_TRUE(weights_after(3, " --poison-step 3") == before);
  EXPECT_FALSE(weights_after(3, "") == before) << "the comparison must be able to fail";
}

INSTANTIATE_TEST_SUITE_P(Levels, PlantedFailure, ::testing::Values("O1", "O2"));

}  // namespace planted_failure_test
}  // namespace ampprof::testing

// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/run_options.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "reports/recording/options.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace run_options_test {

RunOptions read(Arguments words) {
  words.push_back("/bin/true");
  return run_options_from(words).value();
}

TEST(RunFlags, SetToTheDefaultsInTheHelpChangeNothing) {
  const RunOptions options =
      read({"--reference", "fp32", "--every", "1", "--delay", "0", "--max-report", "1GiB", "--impact-memory", "1GiB",
            "--repeat", "1", "--target-gpu", "sm_90", "--probe", "--probe-budget", "60"});
  EXPECT_EQ(options.record, recording::Options{});
  EXPECT_EQ(options.repeat, RunOptions{}.repeat);
  EXPECT_EQ(options.start.target_gpu, RunOptions{}.start.target_gpu);
  EXPECT_EQ(options.probe_budget, RunOptions{}.probe_budget);
}

TEST(RunFlags, SetTheOptionsOfTheRecorder) {
  recording::Options expected;
  expected.reference = recording::ReferenceMode::Double;
  expected.impact = true;
  expected.what_if = "fp16";
  expected.assume_scale = 8;
  expected.first_step = 3;
  expected.last_step = 10;
  expected.delay = 1.5;
  expected.loss_scale = 512;
  expected.impact_bytes = 2000;
  expected.rerun = {"my::", "other::scale"};
  EXPECT_EQ(read({"--reference=fp64", "--impact", "--no-inherited", "--what-if=fp16", "--assume-scale=8",
                  "--steps=3:10", "--delay=1.5", "--loss-scale=512", "--impact-memory=2k", "--rerun=my::,other::scale"})
                .record,
            expected);
}

TEST(RunFlags, SetHowProgramsStart) {
  const RunOptions options =
      read({"--levels=o1,O0", "--type=bf16", "--eager", "--seed=7", "-o", "r.ampprof", "--record-ranks=0,8:16"});
  EXPECT_EQ(options.levels, (std::vector<std::string>{"O1", "O0"}));
  EXPECT_EQ(options.type, "bf16");
  EXPECT_EQ(options.eager, "only");
  EXPECT_EQ(options.start.seed, 7);
  EXPECT_EQ(options.output, "r.ampprof");
  EXPECT_EQ(options.record_ranks, "0,8:16");
  EXPECT_EQ(read({"--eager=both"}).eager, "both");
}

TEST(RunFlags, AreNotedWhereTheyAreGiven) {
  const RunOptions options = read({"--every", "1", "--no-impact", "--steps", ""});
  EXPECT_TRUE(options.gives("--every")) << "to its default";
  EXPECT_TRUE(options.gives("--impact"));
  EXPECT_FALSE(options.gives("--steps"));
  EXPECT_FALSE(options.gives("--inherited"));
}

TEST(RunFlags, AreVariablesToo) {
  ::setenv("AMPPROF_CHECK_RANKS", "4", 1);
  const RunOptions options = read({});
  ::unsetenv("AMPPROF_CHECK_RANKS");
  EXPECT_EQ(options.record.check_ranks, 4);
  EXPECT_TRUE(options.gives("--check-ranks"));
}

TEST(RunFlags, OfAProgramThatRecordsItselfDoNotStartIt) {
  const RunOptions options = own_recording_options_from({"--every=2", "-o", "r.ampprof", "--seed=1"}).value();
  EXPECT_EQ(options.record.every, 2);
  EXPECT_EQ(options.output, "r.ampprof");
  for (const char* flag : {"--levels=O0", "--repeat=2", "--ranks=2", "--probe"}) {
    EXPECT_THROW((void)own_recording_options_from({flag}), text::UsageError) << flag;
  }
}

}  // namespace run_options_test
}  // namespace ampprof::cli

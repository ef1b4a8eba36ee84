// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/confirm/confirming_command.h"

#include <gtest/gtest.h>

#include "analysis/diagnosis/finding.h"
#include "reports/queries/runs.h"
#include "reports/store/temporary_folder.h"
#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"

namespace ampprof::cli {
namespace confirming_command_test {

const analysis::Remedy kScale{.text = "Begin lower.", .word = "init_scale=1024"};
const analysis::Remedy kPolicy{.text = "Run exp in FP32.", .policy = "exp fp32"};

queries::RunRow run_with(const std::string& flags) {
  queries::RunRow run;
  run.level = "O1";
  run.program = "python 'my model.py' --lr=0.1";
  run.folder = "/work/my models";
  run.flags = flags;
  return run;
}

std::string command(const queries::RunRow& run, const analysis::Remedy& remedy, const std::string& policy = "") {
  return confirming_command(run, remedy, "/bin/ampprof", "/tmp/c.ampprof", policy);
}

TEST(ConfirmingCommand, RecordsAsTheRunWasRecorded) {
  EXPECT_EQ(command(run_with("--impact --no-inherited --steps=1:9"), kScale),
            "cd '/work/my models' && exec /bin/ampprof run --impact --no-inherited --steps=1:9 "
            "--remedy=init_scale=1024 -o /tmp/c.ampprof -- python 'my model.py' --lr=0.1");
}

TEST(ConfirmingCommand, RunsTheLevelOfTheRunOnce) {
  EXPECT_EQ(command(run_with("--levels=O0,O1 --repeat=5 --output=r.ampprof --force --policy=p.amp"), kScale),
            "cd '/work/my models' && exec /bin/ampprof run --levels=O1 --policy=p.amp --remedy=init_scale=1024 "
            "-o /tmp/c.ampprof -- python 'my model.py' --lr=0.1");
}

TEST(ConfirmingCommand, AddsTheLineToThePolicyOfTheRun) {
  const store::TemporaryFolder folder;
  text::write_file(folder.path() / "p.amp", "bmm fp32");
  queries::RunRow run = run_with("--policy=p.amp");
  run.folder = folder.path().string();
  EXPECT_EQ(confirming_policy(run, kPolicy), "bmm fp32\nexp fp32\n");
  EXPECT_EQ(confirming_policy(run_with(""), kPolicy), "exp fp32\n");
  EXPECT_EQ(confirming_policy(run, kScale), "") << "the run's own file does";
  EXPECT_NE(command(run, kPolicy, "/tmp/policy").find(" --policy=/tmp/policy "), std::string::npos);
  run.folder = "/gone";
  EXPECT_THROW(confirming_policy(run, kPolicy), text::UsageError);
}

TEST(ConfirmingCommand, TellsTheRecorderOfAStaticScale) {
  const analysis::Remedy remedy{.text = "Scale.", .word = "loss_scale=65536"};
  EXPECT_NE(command(run_with(""), remedy).find("--remedy=loss_scale=65536 --loss-scale=65536 "), std::string::npos);
}

TEST(WhyNotAgain, IsWhatTheReportLacks) {
  EXPECT_EQ(why_not_rerun(run_with("")), "");
  queries::RunRow run = run_with("");
  run.what_if = "fp16";
  EXPECT_NE(why_not_rerun(run), "");
  run = run_with("");
  run.folder.clear();
  EXPECT_NE(why_not_rerun(run), "");
  EXPECT_NE(why_not_rerun(run_with("--levels='O1")), "");
}

}  // namespace confirming_command_test
}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#include "views/gpu/no_gpu_activity.h"

#include <gtest/gtest.h>

#include "reports/queries/missing.h"
#include "reports/queries/runs.h"
#include "reports/records/run.h"

namespace ampprof::views {
namespace no_gpu_activity_test {

queries::RunRow run_on(const char* device) {
  queries::RunRow run;
  run.device = device;
  return run;
}

View explained(const std::vector<queries::RunRow>& runs, const std::vector<queries::MissingRow>& missing = {}) {
  return with_reason_for_no_gpu({.name = "kernels", .none = "No GPU activity matches."}, runs, missing);
}

TEST(NoGpuActivity, OfAProgramOnTheCpuIsItsOwnChoice) {
  const View view = explained({run_on("cpu"), run_on("cpu")});
  EXPECT_EQ(view.none, "No GPU activity was recorded: the program computed on the CPU only.");
  EXPECT_NE(view.remedy.find("ampprof doctor"), std::string::npos) << view.remedy;
}

TEST(NoGpuActivity, IsWhatCuptiRefusedAndTheRemedyIsTheRecorders) {
  const queries::MissingRow refused{
      1, "O1", {kAllGpuActivity, 1, "CUPTI could not be loaded: no file\n#0 frame", "install libcupti.so.13"}};
  const View view = explained({run_on("cuda")}, {{1, "O1", {"values", 2, "late", ""}}, refused});
  EXPECT_EQ(view.none, "No GPU activity was recorded: CUPTI could not be loaded: no file.");
  EXPECT_EQ(view.remedy, "Install libcupti.so.13.");
}

TEST(NoGpuActivity, OfAGpuWithoutAReasonIsCheckedByDoctor) {
  for (const auto& runs : {std::vector{run_on("cuda")}, std::vector<queries::RunRow>{}}) {
    const View view = explained(runs);
    EXPECT_EQ(view.none, "No GPU activity was recorded.");
    EXPECT_NE(view.remedy.find("ampprof doctor"), std::string::npos) << view.remedy;
  }
}

TEST(NoGpuActivity, IsNoReasonWhereSomeWasRecorded) {
  queries::RunRow run = run_on("cuda");
  run.gpu_ms_per_step = 2.0;
  EXPECT_EQ(explained({run_on("cpu"), run}).none, "No GPU activity matches.");
  EXPECT_EQ(explained({run}).remedy, "");
}

}  // namespace no_gpu_activity_test
}  // namespace ampprof::views

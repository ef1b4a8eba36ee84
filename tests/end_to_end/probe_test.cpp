// SPDX-License-Identifier: Apache-2.0
// Tests the path from a recorded matmul to its time in a table, on the CPU: everything except the GPU's kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reports/queries/gpu_activities.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/probes.h"
#include "reports/queries/report.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace probe_test {

const std::string kOnCpu = "AMPPROF_PROBE_DEVICE=cpu ";
const std::string kSample = " --force -o r.ampprof --reference off --levels O1 sample:mlp --steps 2 --batch-size 8";

CommandResult run(const TemporaryFolder& folder, const std::string& environment, const std::string& flags) {
  return run_command(environment + ampprof() + " run " + flags + kSample, folder.path());
}

TEST(Probe, TimesEveryMatmulOfARun) {
  const TemporaryFolder folder;
  const CommandResult result = run(folder, kOnCpu, "--probe");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("were timed on cpu"), std::string::npos) << result.err;
  const queries::Report report(folder.path() / "r.ampprof");
  std::set<std::string> timed;
  for (const queries::ProbeTimeRow& row : queries::probe_times(report)) {
    EXPECT_GT(row.time.timing.median_us, 0);
    EXPECT_GE(row.time.timing.repeats, 3);
    EXPECT_EQ(row.time.device, "cpu");
    timed.insert(row.time.matmul.op + ' ' + std::string(name_of(row.time.arithmetic)));
  }
  std::size_t matmuls = 0;
  for (const queries::OpRow& op : queries::ops(report)) {
    if (op.op != "linear" && op.op != "mm" && op.op != "addmm") continue;
    ++matmuls;
    for (const char* type : {"fp16", "bf16", "tf32", "fp32"}) EXPECT_TRUE(timed.contains(op.op + ' ' + type)) << type;
  }
  EXPECT_GT(matmuls, 0u);
  const CommandResult show = run_command(ampprof() + " show r.ampprof tensor-cores", folder.path());
  EXPECT_NE(show.out.find("as is"), std::string::npos) << show.out;
}

TEST(Probe, SaysWhatItsTimeDidNotReach) {
  const TemporaryFolder folder;
  const CommandResult result = run(folder, kOnCpu, "--probe --probe-budget 0.001");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const queries::Report report(folder.path() / "r.ampprof");
  const auto missing = queries::missing(report);
  EXPECT_TRUE(std::ranges::any_of(missing, [](const queries::MissingRow& row) {
    return row.missing.what == "timings of matmuls" && row.missing.count > 0;
  }));
}

TEST(Probe, SaysWhyCublasLtDoesNotAnswerWithoutAGpu) {
  const TemporaryFolder folder;
  ASSERT_EQ(run(folder, kOnCpu + "AMPPROF_CUBLASLT=/nowhere/lt.so ", "").exit_code, 0);
  const queries::Report report(folder.path() / "r.ampprof");
  EXPECT_TRUE(queries::probe_times(report).empty()) << "they were not asked for";
  ASSERT_FALSE(queries::probe_algorithms(report).empty());
  EXPECT_NE(queries::probe_algorithms(report)[0].answer.failure, "");
  ASSERT_EQ(queries::missing(report).size(), 1u);
  EXPECT_EQ(queries::missing(report)[0].missing.what, "cublasLt's algorithms for GEMMs");
}

#ifdef AMPPROF_TEST_CUBLASLT
TEST(Probe, AsksCublasLtAboutEveryGemm) {
  const TemporaryFolder folder;
  ASSERT_EQ(run(folder, kOnCpu + "AMPPROF_CUBLASLT='" AMPPROF_TEST_CUBLASLT "' ", "").exit_code, 0);
  const queries::Report report(folder.path() / "r.ampprof");
  EXPECT_TRUE(queries::missing(report).empty());
  for (const queries::ProbeAlgorithmRow& row : queries::probe_algorithms(report))
    EXPECT_TRUE(row.answer.algorithm) << row.answer.failure;
  const CommandResult show = run_command(ampprof() + " show r.ampprof tensor-cores --format json", folder.path());
  EXPECT_NE(show.out.find(R"("evidence": "cublasLt: )"), std::string::npos) << show.out;
}
#endif

TEST(Probe, SaysThatThereIsNoGpuAndRecordsAsEver) {
  const TemporaryFolder folder;
  const CommandResult result = run(folder, "", "--probe");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const queries::Report report(folder.path() / "r.ampprof");
  if (!queries::gpu_activities(report).empty()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_NE(result.err.find("--probe times matmuls on a GPU, but no run used one."), std::string::npos) << result.err;
  EXPECT_TRUE(queries::probe_times(report).empty());
  EXPECT_TRUE(queries::missing(report).empty());
}

}  // namespace probe_test
}  // namespace ampprof::testing

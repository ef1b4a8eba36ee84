// SPDX-License-Identifier: Apache-2.0
// Tests GPU activity from CUPTI to the report. A fake CUPTI launches one or two kernels for each op call, and a fake
// cublasLt answers the probe.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "reports/queries/gpu_activities.h"
#include "reports/queries/missing.h"
#include "reports/queries/nvtx_ranges.h"
#include "reports/queries/ops.h"
#include "reports/queries/probes.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace gpu_test {

const std::string kLine =
    " run --force -o r.ampprof --levels O1 --no-inherited sample:mlp --steps 6 --batch-size 8 --threads 1";

CommandResult recorded(const TemporaryFolder& folder, const std::string& faults, const std::string& line = kLine) {
  const std::string stand_ins = "AMPPROF_CUPTI='" AMPPROF_TEST_CUPTI "' AMPPROF_NVML='" AMPPROF_TEST_NVML
                                "' AMPPROF_CUBLASLT='" AMPPROF_TEST_CUBLASLT "' AMPPROF_PROBE_DEVICE=cpu ";
  return run_command(stand_ins + "FAKE_CUPTI=" + faults + " " + ampprof() + line, folder.path());
}

TEST(Gpu, WorkIsInTheReportOfTheOpsThatLaunchedIt) {
  const TemporaryFolder folder;
  const CommandResult run = recorded(folder, "");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  const queries::RunRow row = queries::runs(report).at(0);
  EXPECT_GT(row.gpu_ms_per_step.value_or(0), 0);
  EXPECT_GT(row.gpu_busy_share.value_or(0), 0);
  EXPECT_EQ(row.device, "Stand-in GPU 0");
  EXPECT_NE(row.settings_json.find(R"("sm_mhz":1980)"), std::string::npos) << row.settings_json;
  EXPECT_GT(row.overhead_gpu_ms.value_or(0), 0) << "the reference runs are ampprof's own";
  for (const queries::OpRow& op : queries::ops(report)) {
    std::int64_t kernels = 0;
    for (const queries::GpuActivityUse& use : op.activities) kernels += use.count;
    EXPECT_GE(kernels, op.calls) << op.call_site;
    EXPECT_GT(op.gpu_us.value_or(0), 0) << op.call_site;
  }
  for (const queries::GpuActivityRow& activity : queries::gpu_activities(report))
    EXPECT_NE(activity.call_site_id, 0) << activity.use.name;
  EXPECT_TRUE(queries::missing(report).empty()) << queries::missing(report).at(0).missing.what;
  EXPECT_FALSE(queries::probe_algorithms(report).empty()) << "cublasLt is asked wherever a GPU was seen";
}

TEST(Gpu, WorkIsInEachRecordingThatAProgramBeginsItself) {
  const TemporaryFolder folder;
  const auto bin = std::filesystem::path(ampprof()).parent_path();
  const CommandResult run = run_command(
      "export AMPPROF_CUPTI='" AMPPROF_TEST_CUPTI "' AMPPROF_NVML='" AMPPROF_TEST_NVML "' PATH=" + bin.string() +
          ":$PATH; " + program("records_itself") + " first.ampprof second.ampprof",
      folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* name : {"first.ampprof", "second.ampprof"}) {
    const queries::Report report(folder.path() / name);
    EXPECT_FALSE(queries::gpu_activities(report).empty()) << name;
    EXPECT_TRUE(queries::missing(report).empty()) << queries::missing(report).at(0).missing.what;
  }
}

TEST(Gpu, WorkOfStepsThatAreNotRecordedIsNamedSo) {
  const TemporaryFolder folder;
  const CommandResult run = recorded(folder, "", " run --every 3" + kLine.substr(4));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::int64_t others = 0;
  for (const auto& activity : queries::gpu_activities(queries::Report(folder.path() / "r.ampprof"))) {
    EXPECT_NE(activity.call_site_id, 0) << activity.use.name;
    others += activity.op == "steps that are not recorded" ? activity.use.count : 0;
  }
  EXPECT_GT(others, 10);
}

TEST(Gpu, WorkOfCudaGraphsBelongsToThem) {
  const TemporaryFolder folder;
  ASSERT_EQ(recorded(folder, "graph").exit_code, 0);
  const queries::Report report(folder.path() / "r.ampprof");
  const auto activities = queries::gpu_activities(report);
  EXPECT_GT(activities.size(), 0u);
  for (const auto& activity : activities) EXPECT_EQ(activity.call_site, "CUDA graph 3");
  ASSERT_EQ(queries::missing(report).size(), 1u);
  EXPECT_NE(queries::missing(report)[0].missing.cause.find("belong to the graph"), std::string::npos);
}

TEST(Gpu, ThatAnotherToolUsesIsMissingAndTheRunContinues) {
  const TemporaryFolder folder;
  const CommandResult run = recorded(folder, "held");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  EXPECT_EQ(queries::runs(report).at(0).gpu_ms_per_step, std::nullopt);
  EXPECT_FALSE(queries::ops(report).empty());
  ASSERT_EQ(queries::missing(report).size(), 1u);
  EXPECT_NE(queries::missing(report)[0].missing.cause.find("one tool at a time"), std::string::npos);
}

TEST(Gpu, ThatIsNotThereIsNotMissing) {
  const TemporaryFolder folder;
  const CommandResult run = run_command(ampprof() + kLine, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  if (queries::runs(report).at(0).gpu_ms_per_step) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_TRUE(queries::missing(report).empty());
  const CommandResult show = run_command(ampprof() + " show r.ampprof kernels", folder.path());
  EXPECT_NE(show.out.find("computed on the CPU only"), std::string::npos) << show.out;
}

TEST(Nvtx, RangesOfAPythonProgramAreInTheReport) {
  if (python().empty()) GTEST_SKIP() << "no Python with this LibTorch";
  const TemporaryFolder folder;
  const CommandResult run = run_command(
      ampprof() + " run --force -o r.ampprof -- " + python() + ' ' + script("nvtx_ranges.py"), folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::max();
  const auto ranges = queries::span_ranges(report, queries::runs(report).at(0).run, {0, kAlways}, 100).ranges;
  ASSERT_EQ(ranges.size(), 4u);
  EXPECT_EQ(ranges.at(0).text, "epoch");
  EXPECT_EQ(ranges.at(0).range.depth, 0);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(ranges.at(i).text, "step " + std::to_string(i - 1));
    EXPECT_EQ(ranges.at(i).range.depth, 1);
    EXPECT_LE(ranges.at(i).range.end_ns, ranges.at(0).range.end_ns);
  }
}

}  // namespace gpu_test
}  // namespace ampprof::testing

// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/probes.h"

#include <gtest/gtest.h>

#include <limits>

#include "reports/queries/report.h"
#include "reports/records/dtype.h"
#include "reports/records/probe.h"
#include "reports/store/sqlite.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace probes_test {

using namespace testing_reports;

const ProbedMatmul kMm{.op = "mm", .signature = "f16[64,33] f16[33,128]", .dtype = DType::Half};
const ProbedMatmul kConv{.op = "conv2d", .signature = "f32[8,3,32,32] f32[64,3,3,3]", .dtype = DType::Float};

/// Returns records whose fields all differ, so that swapped fields are noticed.
ProbeRecords some_records() {
  const ProbeTime as_is{.matmul = kMm,
                        .arithmetic = {DType::Half, false},
                        .sizes = "M = 64, N = 128, K = 33",
                        .timing = {1.5, 0.25, 11, 100, 1980, 1755},
                        .device = "NVIDIA H200"};
  ProbeTime tried{.matmul = kConv,
                  .arithmetic = {DType::Float, true},
                  .is_padded = true,
                  .sizes = "C_in = 8",
                  .cudnn_benchmark = true,
                  .timing = {std::numeric_limits<double>::infinity(), 0, 3, 1},
                  .device = "cpu"};
  const ProbeAlgorithm answered{.matmul = kMm,
                                .algorithm = GemmAlgorithm{0x10202, 66, "128x256", 34, 2, 0.75, 4096, {16, 8, 4, 2}},
                                .failure = "",
                                .library_version = 130100,
                                .device = "NVIDIA H200"};
  const ProbeAlgorithm unanswered{
      .matmul = kConv, .failure = "status 15", .library_version = 130100, .device = "NVIDIA H200"};
  return {{as_is, tried}, {unanswered, answered}};
}

struct ProbeRows : testing::Test {
  ProbeRows() {
    store::create_report(path_, false);
    store::ReportWriter writer(path_);
    without_ = writer.begin_run(start_of("O0"));
    run_ = writer.begin_run(start_of("O1"));
    writer.add_probe(run_, some_records());
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "r.ampprof";
  std::int64_t without_ = 0;
  std::int64_t run_ = 0;
};

TEST_F(ProbeRows, ComeBackAsTheyWere) {
  const queries::Report report(path_);
  const auto times = queries::probe_times(report);
  ASSERT_EQ(times.size(), 2u);
  const auto records = some_records();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(times[i].run, run_);
    EXPECT_EQ(times[i].time, records.times[i]) << i;
  }
  const auto answers = queries::probe_algorithms(report);  // sorted by op
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].run, run_);
  EXPECT_EQ(answers[0].answer, records.algorithms[0]);
  EXPECT_EQ(answers[1].answer, records.algorithms[1]);
}

TEST_F(ProbeRows, AreThoseOfOneRunWhereOneIsWanted) {
  const queries::Report report(path_);
  EXPECT_TRUE(queries::probe_times(report, without_).empty());
  EXPECT_TRUE(queries::probe_algorithms(report, without_).empty());
  EXPECT_EQ(queries::probe_times(report, run_).size(), 2u);
  EXPECT_EQ(queries::probe_algorithms(report, run_).size(), 2u);
}

TEST(ArithmeticNames, TellTf32FromFp32) {
  EXPECT_EQ(name_of(Arithmetic{DType::Half}), "fp16");
  EXPECT_EQ(name_of(Arithmetic{DType::BFloat16}), "bf16");
  EXPECT_EQ(name_of(Arithmetic{DType::Float, true}), "tf32");
  EXPECT_EQ(name_of(Arithmetic{DType::Float}), "fp32");
  EXPECT_EQ(name_of(Arithmetic{DType::Double}), "fp64");
  EXPECT_EQ(name_of(Arithmetic{DType::Float8E4M3}), "f8e4m3");
}

}  // namespace probes_test
}  // namespace ampprof

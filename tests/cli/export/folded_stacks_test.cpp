// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "cli/export/formats.h"
#include "reports/queries/ops.h"
#include "tests/cli/export/hostile_report.h"
#include "tests/cli/gpu_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/views/all_runs.h"

namespace ampprof::cli {
namespace folded_stacks_test {

/// Exports a report as folded stacks. Returns the microseconds of each stack. Fails the test on a line without a
/// space.
std::map<std::string, long long> stacks_of(const std::filesystem::path& path) {
  views::AllRuns opened(path);
  std::stringstream written;
  write_folded_stacks({opened.source(), "r"}, written);
  std::map<std::string, long long> stacks;
  for (std::string line; std::getline(written, line);) {
    const auto blank = line.rfind(' ');
    EXPECT_NE(blank, std::string::npos) << line;
    stacks[line.substr(0, blank)] += std::stoll(line.substr(blank + 1));
  }
  return stacks;
}

class FoldedStacks : public testing::Test {
 protected:
  testing_reports::TemporaryFolder folder_;
};

TEST_F(FoldedStacks, AreRunPhaseModulesAndOpWithTheTimeOfTheOp) {
  write_synthetic_report(folder_ / "r");
  const auto stacks = stacks_of(folder_ / "r");
  EXPECT_EQ(stacks.at("O0;optimizer;features;conv1;add_.Tensor"), 6000) << "12 calls of 500 us";
  double expected = 0;
  for (const queries::OpRow& op : queries::ops(queries::Report(folder_ / "r"))) expected += op.cpu_us;
  long long sum = 0;
  for (const auto& [stack, us] : stacks) sum += us;
  EXPECT_EQ(sum, std::llround(expected));
}

TEST_F(FoldedStacks, TakeTheTimeOnTheGpuWhereTheRunSawOne) {
  write_gpu_report(folder_ / "r");
  double gpu = 0;
  double cpu = 0;
  for (const queries::OpRow& op : queries::ops(queries::Report(folder_ / "r"))) {
    gpu += op.gpu_us.value_or(0);
    cpu += op.cpu_us;
  }
  ASSERT_NE(std::llround(gpu), std::llround(cpu));
  long long sum = 0;
  for (const auto& [stack, us] : stacks_of(folder_ / "r")) sum += us;
  EXPECT_NEAR(static_cast<double>(sum), gpu, 1.0 * static_cast<double>(stacks_of(folder_ / "r").size()));
}

TEST_F(FoldedStacks, HoldNoTextThatWouldBeAFrameOrALineMore) {
  write_report_with("a;b\nc\x1b[31m", folder_ / "r");
  for (const auto& [stack, us] : stacks_of(folder_ / "r")) {
    EXPECT_EQ(stack.find_first_of("\n\x1b"), std::string::npos);
    EXPECT_EQ(stack.find("a;b"), std::string::npos) << stack;
  }
}

}  // namespace folded_stacks_test
}  // namespace ampprof::cli

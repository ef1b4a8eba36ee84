// SPDX-License-Identifier: Apache-2.0
// Tests that a graph of torch.compile() is one op call in forward and one in backward, and that recording does not
// change it.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "analysis/compare/pairing.h"
#include "analysis/gpu/compiled_times.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/compiled_region.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace compiled_test {

class Compiled : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  std::string output_of(const std::string& before, const std::string& arguments) {
    const auto result = run_command(before + python() + " " + script("compiled.py") + " " + arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  queries::Report report() const { return queries::Report(folder_.path() / "r.ampprof"); }

  TemporaryFolder folder_;
};

std::vector<queries::OpRow> regions_in(const std::vector<queries::OpRow>& ops) {
  std::vector<queries::OpRow> regions;
  std::ranges::copy_if(ops, std::back_inserter(regions), [](const auto& op) { return is_compiled_region(op.op); });
  return regions;
}

/// Dropout draws the same numbers in the uncompiled graph, so the error is due only to the types.
TEST_F(Compiled, AGraphIsOneOpCallAndOneOfItsBackward) {
  const std::string arguments = "--fp16 --dropout";
  EXPECT_EQ(output_of(ampprof() + " run --force -o r.ampprof -- ", arguments), output_of("", arguments));

  const auto ops = queries::ops(report());
  const auto regions = regions_in(ops);
  ASSERT_EQ(regions.size(), 2);
  const queries::OpRow& forward = regions[0].phase == Phase::Forward ? regions[0] : regions[1];
  const queries::OpRow& backward = regions[0].phase == Phase::Forward ? regions[1] : regions[0];
  EXPECT_EQ(forward.call_site, "torch::compiled_region.0/0");
  EXPECT_EQ(backward.call_site, "backward torch::compiled_region.0/0");
  for (const queries::OpRow& region : regions) {
    EXPECT_EQ(region.calls, 3);
    EXPECT_GT(region.cpu_us, 0);
    EXPECT_NE(region.source.find("compiled.py:"), std::string::npos) << region.source;
  }
  ASSERT_TRUE(forward.local);
  EXPECT_GT(forward.local->relative_l2(), 0x1p-14);
  EXPECT_LT(forward.local->relative_l2(), 0x1p-8);
  ASSERT_TRUE(backward.local);
  EXPECT_GT(backward.local->relative_l2(), 0x1p-14);
  EXPECT_LT(backward.local->relative_l2(), 0x1p-6);

  for (const queries::OpRow& op : ops) {
    EXPECT_EQ(op.module.find("_orig_mod"), std::string::npos) << op.call_site;
    EXPECT_TRUE(op.op != "addmm" && op.op != "_log_softmax" && op.op != "native_dropout") << op.call_site;
  }
  const auto missing = queries::missing(report());
  EXPECT_TRUE(std::ranges::any_of(missing, [](const queries::MissingRow& row) {
    return row.missing.what == "ops inside torch.compile" && row.missing.count == 6;
  }));
  EXPECT_TRUE(std::ranges::none_of(missing, [](const queries::MissingRow& row) {
    return row.missing.cause.find("meta") != std::string::npos;
  })) << "PyTorch compiles with tensors that are none of the program's";
}

/// In FP32, the two results differ by rounding only. Gradients of a different graph would differ by their own
/// magnitude.
TEST_F(Compiled, TheBackwardIsComparedWithTheGradientsOfTheSameGraph) {
  constexpr std::int64_t kWeights = 740;
  for (const std::string& arguments :
       test_support::with_repetitions<std::string>({"--retain", "--checkpoint"}, {"--own-hooks --dropout"})) {
    SCOPED_TRACE(arguments);
    EXPECT_EQ(output_of(ampprof() + " run --force -o r.ampprof --reference fp64 -- ", arguments),
              output_of("", arguments));
    std::int64_t backwards = 0;
    for (const queries::OpRow& region : regions_in(queries::ops(report()))) {
      if (region.phase != Phase::Backward) continue;
      backwards += region.calls;
      ASSERT_TRUE(region.local);
      EXPECT_EQ(region.local->count, region.calls * kWeights);
      EXPECT_GT(region.local->relative_l2(), 0x1p-30);
      EXPECT_LT(region.local->relative_l2(), 0x1p-18);
    }
    EXPECT_EQ(backwards, arguments == "--retain" ? 6 : 3);
  }
}

/// In FP32, the program and an FP32 reference run the same kernels, but the FP64 reference differs from them on any
/// processor.
TEST_F(Compiled, TheReferenceIsDoubleWhereFp32MayBeShortened) {
  for (const std::string arguments : {"", "--medium"}) {
    output_of(ampprof() + " run --force -o r.ampprof -- ", arguments);
    const auto regions = regions_in(queries::ops(report()));
    ASSERT_EQ(regions.size(), 2);
    for (const queries::OpRow& region : regions) {
      ASSERT_TRUE(region.local);
      EXPECT_EQ(region.local->relative_l2() > 0, arguments == "--medium") << region.call_site;
    }
  }
}

TEST_F(Compiled, ABackwardThatCannotBeComparedSaysWhy) {
  output_of(ampprof() + " run --force -o r.ampprof -- ", "--view");
  const auto missing = queries::missing(report());
  EXPECT_TRUE(std::ranges::any_of(missing, [](const queries::MissingRow& row) {
    return row.missing.cause.find("a result is a view") != std::string::npos && row.missing.count == 3;
  }));
}

TEST_F(Compiled, ARunWithoutTorchCompileTellsItsOpsApart) {
  output_of(ampprof() + " run --eager=both --reference off --force -o r.ampprof -- ", "");
  const auto runs = queries::runs(report());
  ASSERT_EQ(runs.size(), 2);
  EXPECT_TRUE(runs[0].has_compiled_regions);
  EXPECT_FALSE(analysis::is_eager(runs[0]));
  EXPECT_FALSE(runs[1].has_compiled_regions);
  EXPECT_TRUE(analysis::is_eager(runs[1]));

  const auto compiled = queries::ops(report(), 1);
  const auto eager = queries::ops(report(), 2);
  const analysis::CompiledTimes times(eager, compiled);
  for (const queries::OpRow& op : eager) {
    const bool is_in_graph = op.op == "linear" || op.op == "batch_norm" || op.op == "relu" || op.op == "addmm";
    if (is_in_graph) {
      EXPECT_EQ(times.covering(op).size(), 1) << op.call_site;
    }
    if (op.op == "cross_entropy_loss") {
      EXPECT_NE(times.uncompiled(op), nullptr);
    }
  }
}

}  // namespace compiled_test
}  // namespace ampprof::testing

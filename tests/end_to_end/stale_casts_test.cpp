// SPDX-License-Identifier: Apache-2.0
// Tests which calls are reported to compute with stale casts. A stale cast is in autocast's cache, and older than its
// parameter.
#include "reports/queries/stale_casts.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace stale_casts_test {

queries::Report record(const TemporaryFolder& folder, const std::string& environment, const std::string& options,
                       const std::string& program) {
  const auto run = run_command(environment + ampprof() + " run --force -o r.ampprof " + options + " -- " + python() +
                                   " " + script("stale_casts.py") + " " + program,
                               folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return queries::Report(folder.path() / "r.ampprof");
}

class StaleCasts : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }
};

TEST_P(StaleCasts, AreThoseWhoseParametersHaveOtherValuesByNow) {
  const TemporaryFolder folder;
  const queries::Report report = record(folder, GetParam(), "", "writes");
  std::map<std::string, double> shares;
  std::map<std::string, double> changes;
  for (const queries::StaleCastRow& row : queries::stale_casts(report)) {
    EXPECT_EQ(row.hits, 1) << row.total.parameter;
    EXPECT_EQ(row.steps_old, 0) << row.total.parameter;
    shares[row.total.parameter] = row.total.differing_share();
    changes[row.total.parameter] = row.total.relative_change();
  }
  EXPECT_EQ(shares, (std::map<std::string, double>{{"in_place.weight", 1},
                                                   {"data.weight", 1},
                                                   {"other_data.weight", 1},
                                                   {"other_shape.weight", 1},
                                                   {"numpy.weight", 1},
                                                   {"one_row.weight", 1.0 / 6},
                                                   {"to_nan.weight", 1},
                                                   {"thread.weight", 1},
                                                   {"gru.weight_ih", 1}}));
  EXPECT_EQ(changes["data.weight"], 0.5);
  EXPECT_EQ(changes["other_shape.weight"], std::numeric_limits<double>::infinity());
  EXPECT_EQ(changes["to_nan.weight"], std::numeric_limits<double>::infinity());
  for (const queries::OpRow& row : queries::ops(report)) {
    if (row.op != "linear" || !row.local) continue;
    EXPECT_LT(row.local->relative_l2(), 0.01) << row.call_site << ": the age of a copy is not an error";
  }
}

INSTANTIATE_TEST_SUITE_P(Figures, StaleCasts, ::testing::Values("", "AMPPROF_PENDING=1 "),
                         [](const auto& info) { return std::string(*info.param == '\0' ? "at_once" : "later"); });

TEST(AgeOfStaleCasts, CountsStepsThatAreNotRecorded) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  for (const auto& [options, hits] : {std::pair("", 7), std::pair("--every 3", 2), std::pair("--steps 7:8", 2)}) {
    const auto rows = queries::stale_casts(record(folder, "", options, "steps"));
    ASSERT_EQ(rows.size(), 2u) << options;
    EXPECT_EQ(rows[0].total.parameter, "bias");
    EXPECT_EQ(rows[1].total.parameter, "weight");
    for (const queries::StaleCastRow& row : rows) EXPECT_EQ(row.hits, hits) << options;
    EXPECT_EQ(rows[0].steps_old, options == std::string("--every 3") ? 6 : 7) << options;
  }
}

TEST(AgeOfStaleCasts, IsNotCountedAsAnErrorOfAnOp) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  for (const char* options : {"--impact --inherited", "--what-if bf16"}) {
    for (const queries::OpRow& row : queries::ops(record(folder, "", options, "steps"))) {
      if (row.op != "linear") continue;
      EXPECT_LT(row.local.value_or(ErrorStats{}).relative_l2(), 0.01) << options;
      EXPECT_LT(row.inherited.value_or(ErrorStats{}).relative_l2(), 0.01) << options;
    }
  }
}

}  // namespace stale_casts_test
}  // namespace ampprof::testing
